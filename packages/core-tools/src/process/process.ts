import { startOfText } from "@openclaw/foundation";
import { textResult } from "@openclaw/plugin-sdk/tool-results";
import { defineTool, type ToolResult } from "@openclaw/plugin-sdk/tools";
import { Type } from "typebox";
import { ToolRefusalError } from "../errors.js";
import { answer } from "../result.js";
import type { BackgroundProcess, BackgroundProcesses } from "./background-processes.js";

const MAX_POLL_BYTES = 64 * 1024;
const MAX_DATA_BYTES = 64 * 1024;
const MAX_COMMAND_CHARACTERS = 200;

const parameters = Type.Object(
  {
    action: Type.Enum(["list", "poll", "write", "kill"], {
      type: "string",
      description: "poll returns the output since the last poll.",
    }),
    id: Type.Optional(Type.String({ minLength: 1, description: "From exec or list." })),
    data: Type.Optional(
      Type.String({
        description: "For write: at most 64 KiB. End a line with a line break.",
        "x-safety-role": "prose",
      }),
    ),
  },
  { additionalProperties: false },
);

/** A background process as clients see it. */
export interface ProcessDetails {
  id: string;
  status: "running" | "ended";
  /** Null while it runs, and when a signal ended it. */
  exitCode: number | null;
  durationMs: number;
  /** With poll: output since the last poll. */
  output?: string;
}

/**
 * Creates the `process` tool, which manages commands that `exec` started in the background (TURN-059). A
 * session can only access its own processes.
 * @param processes - processes of the host
 * @param sessionId - the incarnation of the session that has the tool
 */
export function createProcessTool(processes: BackgroundProcesses, sessionId: string) {
  return defineTool({
    name: "process",
    label: "Background processes",
    description:
      "Commands that exec runs in the background: list, read their new output, write to their input, kill.",
    parameters,
    execute: (_id, { action, id, data }) =>
      answer<ProcessDetails | ProcessDetails[]>(`${action} a process`, async () => {
        if (action === "list") return listed(processes.list(sessionId));
        const process = find(processes.list(sessionId), action, id);
        switch (action) {
          case "poll":
            return polled(process);
          case "write":
            await process.write(inputOf(data));
            return { ...textResult("Written."), details: detailsOf(process) };
          case "kill":
            await process.kill();
            return { ...textResult(statusOf(process)), details: detailsOf(process) };
        }
      }),
  });
}

function find(
  processes: readonly BackgroundProcess[],
  action: string,
  id: string | undefined,
): BackgroundProcess {
  const found = processes.find((process) => process.id === id);
  if (found !== undefined) return found;
  const there = processes.map((process) => process.id).join(", ") || "none";
  if (id === undefined) {
    throw new ToolRefusalError("invalid-value", `${action} needs id. Existing IDs: ${there}.`);
  }
  throw new ToolRefusalError(
    "not-found",
    `Background process "${id}" not found in this session. Existing IDs: ${there}.`,
  );
}

function inputOf(data: string | undefined): string {
  if (data === undefined) {
    throw new ToolRefusalError("invalid-value", "write needs data. Give the text to pass on.");
  }
  const bytes = Buffer.byteLength(data);
  if (bytes <= MAX_DATA_BYTES) return data;
  throw new ToolRefusalError(
    "too-large",
    `The data is ${bytes} bytes; at most ${MAX_DATA_BYTES} are written at once. Write it in parts.`,
  );
}

function listed(processes: readonly BackgroundProcess[]): ToolResult<ProcessDetails[]> {
  const lines = processes.map((process) => {
    const { id, command } = process;
    const shown = startOfText(command.replace(/\s+/g, " "), MAX_COMMAND_CHARACTERS);
    return `${id}: ${statusOf(process)} ${shown}`;
  });
  const text = lines.length === 0 ? "No background processes." : lines.join("\n");
  return { ...textResult(text), details: processes.map(detailsOf) };
}

function polled(process: BackgroundProcess): ToolResult<ProcessDetails> {
  // Read before the output: a process that ends in between reports its last output in the next poll.
  const status = statusOf(process);
  const { text, lost, next } = process.output.since(process.polled, MAX_POLL_BYTES);
  process.polled = next;
  const notices = [status];
  if (lost > 0) notices.push(`${lost} earlier bytes were discarded.`);
  if (next < process.output.end) notices.push("There is more output; poll again.");
  if (text === "") notices.push("No new output.");
  const content: ToolResult["content"] = [{ type: "text", text: `[${notices.join(" ")}]` }];
  if (text !== "") content.unshift({ type: "text", text });
  return { content, details: { ...detailsOf(process), output: text } };
}

function statusOf(process: BackgroundProcess): string {
  const { end } = process;
  const time = `${process.runTime()} ms`;
  if (end === undefined) return `Running for ${time}.`;
  if ("problem" in end) return `Could not run: ${end.problem}.`;
  return end.signal === null
    ? `Ended with exit code ${end.exitCode} after ${time}.`
    : `Ended by signal ${end.signal} after ${time}.`;
}

function detailsOf(process: BackgroundProcess): ProcessDetails {
  const { id, end } = process;
  return {
    id,
    status: end === undefined ? "running" : "ended",
    exitCode: end === undefined || "problem" in end ? null : end.exitCode,
    durationMs: process.runTime(),
  };
}
