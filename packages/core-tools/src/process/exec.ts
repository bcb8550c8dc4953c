import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";
import { textResult } from "@openclaw/plugin-sdk/tool-results";
import { defineTool, type ToolResult, type ToolSessionContext } from "@openclaw/plugin-sdk/tools";
import { Type } from "typebox";
import { ToolRefusalError } from "../errors.js";
import { wordIntoState } from "../files/literal-paths.js";
import { notFound } from "../files/workspace-file.js";
import type { WorkspacePaths } from "../files/workspace-paths.js";
import { lazy } from "../lazy.js";
import { answer } from "../result.js";
import { systemErrorCode } from "../system-error.js";
import { execAuthorization } from "./authorization.js";
import type { BackgroundProcesses } from "./background-processes.js";
import type { BubblewrapSandbox } from "./bubblewrap/sandbox.js";
import { withVariables } from "./child-environment.js";
import { commandApproval } from "./followed-writes.js";
import type { GroupEnd } from "./group.js";
import { OutputWindow } from "./output-window.js";
import { type PreparedRun, prepareRun } from "./prepared-run.js";
import { createProcessTool } from "./process.js";
import type { Sandbox } from "./sandbox.js";

const DEFAULT_TIMEOUT_MS = 120_000;
const MAX_TIMEOUT_MS = 600_000;
const MAX_OUTPUT_BYTES = 64 * 1024;
const PROGRESS_BYTES = 4096;
/** Below the kernel's limit of 128 KiB for one argument. */
const MAX_COMMAND_BYTES = 120_000;

/** Options of {@link createExecTools}. */
export interface ExecToolOptions {
  readonly paths: WorkspacePaths;
  /** Returns the variables every command starts with; see `childEnvironment`. */
  readonly environment: () => Readonly<Record<string, string>>;
  /** Manages commands that continue after their call. */
  readonly processes: BackgroundProcesses;
  /** Commands run inside it, or not at all; without it they run as the host does. */
  readonly sandbox?: Sandbox | undefined;
  /** Sandbox for commands without an individual approval, where it is available. */
  readonly bubblewrap?: BubblewrapSandbox | undefined;
}

/** Result of a command, for clients. */
export interface ExecDetails {
  /** Standard output and standard error as they arrived, the middle left out above 64 KiB. */
  output: string;
  /** True when the middle of the output was left out; absent otherwise. */
  truncated?: true;
  /** Null when a signal ended the shell. */
  exitCode: number | null;
  durationMs: number;
  sandboxed: boolean;
}

/** Details of a command in the background, for clients. */
export interface BackgroundDetails {
  /** For the process tool. */
  processId: string;
  sandboxed: boolean;
}

const parameters = Type.Object(
  {
    command: Type.String({ minLength: 1, description: "Command for bash -c." }),
    workdir: Type.Optional(
      Type.String({
        minLength: 1,
        description: "Default: workspace.",
      }),
    ),
    timeoutMs: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_TIMEOUT_MS,
        description: "Default 120000; with background none.",
      }),
    ),
    env: Type.Optional(
      Type.Record(Type.String(), Type.String(), {
        description: "Additional variables; no secrets.",
      }),
    ),
    background: Type.Optional(
      Type.Boolean({
        description: "Return at once and keep it running; see process.",
      }),
    ),
  },
  { additionalProperties: false },
);

/**
 * Creates the tools `exec`, which runs one shell command, and `process`, which manages commands in the
 * background (TURN-059). They belong to a session, which sees only its own background processes. The
 * process group of a foreground command ends with the call. A command that names the state folder in a form
 * that `wordIntoState` detects is rejected; this check is not a security boundary, unlike approval and the
 * sandbox.
 * @param options - folders, variables and sandbox of commands
 */
export function createExecTools(options: ExecToolOptions) {
  const shell = lazy(() => findShell(options.environment().PATH ?? ""));
  return ({ sessionId }: Pick<ToolSessionContext, "sessionId">) => [
    createExecTool(options, sessionId, shell),
    createProcessTool(options.processes, sessionId),
  ];
}

function createExecTool(options: ExecToolOptions, sessionId: string, shell: () => Promise<string>) {
  const { paths, environment, processes, sandbox, bubblewrap } = options;
  return defineTool({
    name: "exec",
    label: "Run command",
    description:
      "Run a shell command to its end, without input. Returns output (head and tail) and exit code. What still runs is stopped, unless background is set.",
    parameters,
    approval: (params) => commandApproval(paths, params),
    // The call's own timeoutMs decides; the tool's deadline only has to be no shorter.
    timeoutMs: MAX_TIMEOUT_MS,
    execute: (_id, params, signal, onUpdate) => {
      const { command, workdir = ".", timeoutMs, env = {}, background } = params;
      return answer<ExecDetails | BackgroundDetails>(
        `run the command in "${workdir}"`,
        async () => {
          signal.throwIfAborted();
          assertCommand(command);
          const authorization = execAuthorization(params);
          if (authorization === undefined) throw notAuthorized();
          const scene = {
            command,
            workdir: await resolveWorkdir(paths, workdir),
            environment: withVariables(environment(), env),
          };
          const closedWord = await wordIntoState(paths, scene);
          if (closedWord !== undefined) throw paths.refusal(closedWord);
          const means = { paths, sandbox, bubblewrap, shell };
          const { run, sandboxed, ...about } = await prepareRun(authorization, scene, means);
          signal.throwIfAborted();

          if (background === true) {
            const limit = timeoutMs === undefined ? {} : { signal: AbortSignal.timeout(timeoutMs) };
            const { id } = processes.start(sessionId, { run, ...limit, command });
            const text = `Started in the background as process ${id}. Use process to poll its output, write to its input or kill it.`;
            return { ...textResult(text), details: { processId: id, sandboxed } };
          }

          const output = new OutputWindow(MAX_OUTPUT_BYTES);
          const limitMs = timeoutMs ?? DEFAULT_TIMEOUT_MS;
          const timeout = AbortSignal.timeout(limitMs);
          const started = performance.now();
          const onOutput = (text: string) => {
            output.append(text);
            onUpdate(textResult(output.latest(PROGRESS_BYTES)));
          };
          const end = await run({ onOutput }, AbortSignal.any([signal, timeout]));
          signal.throwIfAborted();
          const details: ExecDetails = {
            output: output.text(),
            ...(output.isTruncated ? { truncated: true as const } : {}),
            exitCode: end.exitCode,
            durationMs: Math.round(performance.now() - started),
            sandboxed,
          };
          return resultOf(end, details, timeout.aborted ? limitMs : undefined, about);
        },
      );
    },
  });
}

function notAuthorized(): ToolRefusalError {
  return new ToolRefusalError(
    "refused",
    "The command was not run: nothing authorized it. This is a defect of the host; report it.",
  );
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
  { notice, failureNotice }: Pick<PreparedRun, "notice" | "failureNotice">,
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
  const sandboxNotice = notice?.();
  if (sandboxNotice !== undefined) notices.push(sandboxNotice);
  if (failureNotice !== undefined && end.exitCode !== 0) notices.push(failureNotice);
  if (details.output === "") notices.push("There was no output.");
  const content: ToolResult["content"] = [{ type: "text", text: `[${notices.join(" ")}]` }];
  if (details.output !== "") content.unshift({ type: "text", text: details.output });
  return { content, details, ...(timedOutAfter === undefined ? {} : { isError: true }) };
}
