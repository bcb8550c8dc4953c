import { answer, refusing } from "@openclaw/core-tools";
import { jsonResult } from "@openclaw/plugin-sdk/tool-results";
import { defineTool, type ToolSessionContext } from "@openclaw/plugin-sdk/tools";
import { Type } from "typebox";
import { creatorOfSession } from "./creator.js";
import type { Jobs } from "./jobs.js";
import { jobSummary } from "./view.js";

/** Name of the tool. */
export const BUILDER_TOOL_NAME = "build_software";

/** Bounds of a build (TURN-068). */
const MOST_ITERATIONS = 20;
const TIMEOUT_MS = 600_000;

const LONGEST_TITLE = 80;

/** Files that each kind of software has. */
const KINDS = {
  wasm_tool: "a WebAssembly module of a tool, with its manifest",
  cli_binary: "a command-line program",
  library: "a library",
  script: "a script",
} as const;

// One object for all turns: a schema is compiled once.
const parameters = Type.Object(
  {
    description: Type.String({
      minLength: 1,
      maxLength: 16_384,
      description: "What it does, its inputs and its outputs.",
    }),
    type: Type.Enum(["wasm_tool", "cli_binary", "library", "script"]),
    language: Type.Enum(["rust", "python", "typescript", "bash"]),
  },
  { additionalProperties: false },
);

/**
 * Creates the tool `build_software`, which builds software in a sandboxed job (TURN-068). It asks on every call: neither
 * grants nor elevated mode waive that.
 * @param session - session of the turn
 * @param host - returns the jobs of the host
 */
export function createBuilderTool(session: ToolSessionContext, host: () => Jobs) {
  return defineTool({
    name: BUILDER_TOOL_NAME,
    label: "Build software",
    description:
      "Build a tool, program, library or script in a sandboxed job with a copy of the workspace. Its result is delivered to this conversation; a person then reviews and applies the files.",
    parameters,
    approval: "always",
    // The same call names the same job, so that a repeat after a crash finds it.
    idempotent: true,
    execute: (toolCallId, { description, type, language }) =>
      answer("build the software", () =>
        refusing(async () => {
          const jobs = host();
          const runId = jobs.runningTurn(session.sessionKey) ?? "";
          const [line = ""] = description.trim().split("\n");
          const job = await jobs.create({
            title: `Build: ${line.slice(0, LONGEST_TITLE)}`,
            description: taskOf(description, type, language),
            creator: creatorOfSession(session),
            agentId: session.agentId,
            mode: "sandboxed",
            ...{ maxIterations: MOST_ITERATIONS, timeoutMs: TIMEOUT_MS },
            askedIn: session.sessionKey,
            identity: JSON.stringify(["build", session.sessionKey, runId, toolCallId]),
          });
          const id = job.jobId.slice(0, 8);
          const next = `The operator reviews it with \`openclaw jobs diff ${id}\`, applies it with \`openclaw jobs apply ${id}\`, and installs a plugin with \`openclaw plugins install <folder>\`, which scans it and asks for its permissions.`;
          return jsonResult({ ...jobSummary(job), next });
        }),
      ),
  });
}

function taskOf(description: string, type: keyof typeof KINDS, language: string): string {
  return [
    `Build ${KINDS[type]} in ${language}, in a new folder of the workspace:`,
    description,
    "Write the sources, a short README with how to build and use it, and a test; build it and run the test when the machine has the programs for it. Your result names the folder, what was tested, and what was not.",
  ].join("\n\n");
}
