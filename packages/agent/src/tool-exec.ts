import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";
import { textResult } from "@openclaw/plugin-sdk/tool-results";
import { defineTool, type ToolResult } from "@openclaw/plugin-sdk/tools";
import { Type } from "typebox";
import { withVariables } from "./child-environment.js";
import { wordIntoState } from "./literal-paths.js";
import { OutputWindow } from "./output-window.js";
import { type GroupEnd, runProcessGroup } from "./process-group.js";
import { systemErrorCode } from "./system-error.js";
import { answer } from "./tool-answer.js";
import { ToolRefusalError } from "./tool-errors.js";
import { notFound } from "./workspace-file.js";
import type { WorkspacePaths } from "./workspace-paths.js";

const DEFAULT_TIMEOUT_MS = 120_000;
const MAX_TIMEOUT_MS = 600_000;
const MAX_OUTPUT_BYTES = 64 * 1024;
const PROGRESS_BYTES = 4096;
/** Below the 128 KiB that the kernel takes as one argument. */
const MAX_COMMAND_BYTES = 120_000;

/** What {@link createExecTool} needs. */
export interface ExecToolOptions {
  readonly paths: WorkspacePaths;
  /** Variables every command starts with; see `childEnvironment`. */
  readonly environment: Readonly<Record<string, string>>;
}

/** What a command did, for clients. */
export interface ExecDetails {
  /** Standard output and standard error as they arrived, the middle left out above 64 KiB. */
  output: string;
  /** Null when a signal ended the shell. */
  exitCode: number | null;
  durationMs: number;
  sandboxed: false;
}

/**
 * The `exec` tool: runs one shell command to its end (TURN-059, without sandbox and background).
 * Nothing the command started in its process group outlives the call. A command that names the
 * state folder in a way `wordIntoState` sees is refused; that check is no wall, the person who
 * approves the command and a sandbox are.
 * @param options - where and with which variables commands run
 */
export function createExecTool({ paths, environment }: ExecToolOptions) {
  let shell: Promise<string> | undefined;
  return defineTool({
    name: "exec",
    label: "Run command",
    description:
      "Run a shell command and wait for its end. Input is empty, so it must not ask questions. Returns output (head and tail, at most 64 KiB) and exit code. Processes left in the background are stopped at the end.",
    parameters: Type.Object(
      {
        command: Type.String({ minLength: 1, description: "Command for bash -c." }),
        workdir: Type.Optional(
          Type.String({
            minLength: 1,
            description: "Folder to run in, inside the workspace. Default: workspace.",
          }),
        ),
        timeoutMs: Type.Optional(
          Type.Integer({
            minimum: 1,
            maximum: MAX_TIMEOUT_MS,
            description: "Milliseconds after which it is stopped. Default 120000.",
          }),
        ),
        env: Type.Optional(
          Type.Record(Type.String(), Type.String(), {
            description: "Further environment variables; no secrets.",
          }),
        ),
      },
      { additionalProperties: false },
    ),
    approval: "unless-granted",
    // The call's own timeoutMs decides; the tool's deadline only has to be no shorter.
    timeoutMs: MAX_TIMEOUT_MS,
    execute: (
      _id,
      { command, workdir = ".", timeoutMs = DEFAULT_TIMEOUT_MS, env = {} },
      signal,
      onUpdate,
    ) =>
      answer(`run the command in "${workdir}"`, async () => {
        signal.throwIfAborted();
        assertCommand(command);
        const scene = {
          command,
          workdir: await resolveWorkdir(paths, workdir),
          environment: withVariables(environment, env),
        };
        const closedWord = await wordIntoState(paths, scene);
        if (closedWord !== undefined) throw paths.refusal(closedWord);

        shell ??= findShell(environment.PATH ?? "");
        const output = new OutputWindow(MAX_OUTPUT_BYTES);
        const timeout = AbortSignal.timeout(timeoutMs);
        const started = performance.now();
        const end = await runProcessGroup(
          {
            program: await shell,
            arguments: ["-c", command],
            workdir: scene.workdir,
            environment: scene.environment,
            onOutput: (text) => {
              output.append(text);
              onUpdate(textResult(output.latest(PROGRESS_BYTES)));
            },
          },
          AbortSignal.any([signal, timeout]),
        );
        signal.throwIfAborted();
        const details: ExecDetails = {
          output: output.text(),
          exitCode: end.exitCode,
          durationMs: Math.round(performance.now() - started),
          sandboxed: false,
        };
        return resultOf(end, details, timeout.aborted ? timeoutMs : undefined);
      }),
  });
}

function assertCommand(command: string): void {
  const bytes = Buffer.byteLength(command);
  if (bytes > MAX_COMMAND_BYTES) {
    throw new ToolRefusalError(
      "too-large",
      `The command is ${bytes} bytes; at most ${MAX_COMMAND_BYTES} can be run. Write it to a script file with write and run that.`,
    );
  }
  if (command.includes("\0")) {
    throw new ToolRefusalError(
      "invalid-value",
      "The command holds a NUL character, which no shell takes. Take it out.",
    );
  }
}

async function resolveWorkdir(paths: WorkspacePaths, given: string): Promise<string> {
  const workdir = await paths.resolve(given);
  const found = await stat(workdir).catch((error: unknown) => {
    if (systemErrorCode(error) === "ENOENT") return undefined;
    throw error;
  });
  if (found === undefined) throw await notFound(paths, given, workdir);
  if (!found.isDirectory()) {
    throw new ToolRefusalError(
      "wrong-kind",
      `workdir "${given}" is a file. Give a folder to run the command in.`,
    );
  }
  return workdir;
}

/** Bash where there is one, because models write for it; else the shell every system has. */
async function findShell(path: string): Promise<string> {
  for (const folder of path.split(delimiter)) {
    if (!isAbsolute(folder)) continue;
    const candidate = join(folder, "bash");
    const usable = await access(candidate, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (usable) return candidate;
  }
  return "/bin/sh";
}

function resultOf(
  end: GroupEnd,
  details: ExecDetails,
  timedOutAfter: number | undefined,
): ToolResult<ExecDetails> {
  const took = `${details.durationMs} ms`;
  const notices: string[] = [];
  if (timedOutAfter !== undefined) {
    notices.push(
      `Stopped after ${timedOutAfter} ms, the time limit; it had not ended. Give a longer timeoutMs (up to ${MAX_TIMEOUT_MS}) or run a shorter command.`,
    );
  } else if (end.signal !== null) {
    notices.push(`Ended by signal ${end.signal} after ${took}.`);
  } else {
    notices.push(`Exit code ${end.exitCode} after ${took}.`);
  }
  if (end.leftovers) {
    notices.push("Processes it had left in the background were stopped.");
  }
  if (details.output === "") notices.push("There was no output.");
  const content: ToolResult["content"] = [{ type: "text", text: `[${notices.join(" ")}]` }];
  if (details.output !== "") content.unshift({ type: "text", text: details.output });
  return { content, details, ...(timedOutAfter === undefined ? {} : { isError: true }) };
}
