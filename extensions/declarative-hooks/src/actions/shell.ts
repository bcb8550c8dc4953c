import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endOfText, errorMessage } from "@openclaw/plugin-sdk/kit";
import type { CommandResult, RuntimeSystem } from "@openclaw/plugin-sdk/services";
import type { ShellAction } from "../definition/definition.js";
import { block, type Outcome } from "../definition/outcome.js";
import { readOutput } from "../definition/output.js";
import { HookActionError } from "../errors.js";
import { eventJson, type HookInput } from "../points/input.js";

/** Largest output of a program, in bytes (DHOOK-022). */
const LARGEST_OUTPUT = 256 * 1024;
/** Exit code of a program that stops the event. */
const BLOCK_CODE = 2;
/** Time between asking a program to end and killing it, in milliseconds (DHOOK-023). */
const GRACE_MS = 500;
/** Largest event in a variable, in bytes: Linux starts no program with a longer one than 128 KiB. */
const LARGEST_VARIABLE = 96 * 1024;
/** Additional time for the end of the deadline, which aborts the program. */
const BACKSTOP_MS = 1000;

/** Context of one run of an action. */
export interface ActionRun {
  /** Name of the hook. */
  readonly hook: string;
  readonly input: HookInput;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Runs programs, in a folder. */
export interface ShellHost {
  readonly run: NonNullable<RuntimeSystem["runCommandWithTimeout"]>;
  /** Working directory. */
  readonly cwd: string;
}

/**
 * Runs the program of a hook. The event is standard input and a variable; it is never part of the command line
 * (DHOOK-021).
 * @param action - the program
 * @param run - hook, event and deadline
 * @param host - runs programs
 * @throws HookActionError when the program fails, or its output is not an outcome
 */
export async function runShell(
  { argv }: ShellAction,
  { hook, input, timeoutMs, signal }: ActionRun,
  { run, cwd }: ShellHost,
): Promise<Outcome> {
  const event = eventJson(input, hook);
  const file = Buffer.byteLength(event) > LARGEST_VARIABLE ? await eventFile(event) : undefined;
  let result: CommandResult;
  try {
    const env = variables(input, hook, event, file?.path);
    result = await runProgram(hook, argv, { cwd, signal, timeoutMs, input: event, env }, run);
  } finally {
    await file?.[Symbol.asyncDispose]();
  }
  const { code, stdout, stderr } = result;
  if (code === BLOCK_CODE) return block(stderr);
  if (code !== 0) {
    const said = endOfText(stderr.trim(), 200);
    throw new HookActionError(
      hook,
      `the program ended with ${code}${said === "" ? "" : `: ${said}`}`,
    );
  }
  const outcome = readOutput(stdout, input.content === undefined && input.params !== undefined);
  if ("problem" in outcome) throw new HookActionError(hook, outcome.problem);
  return outcome;
}

/** Place, input and deadline of a program. */
export interface ProgramOptions {
  readonly cwd: string;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly input: string;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Runs the program of a hook to its end.
 * @param argv - program and arguments
 * @param options - place, input and deadline
 * @param run - runs programs
 * @throws HookActionError when it cannot be started, writes too much, or does not end by itself
 */
export async function runProgram(
  hook: string,
  argv: readonly string[],
  { timeoutMs, ...options }: ProgramOptions,
  run: ShellHost["run"],
): Promise<CommandResult> {
  let result: CommandResult;
  try {
    result = await run(argv, {
      ...options,
      timeoutMs: timeoutMs + BACKSTOP_MS,
      graceMs: GRACE_MS,
      maxOutputBytes: LARGEST_OUTPUT,
    });
  } catch (error) {
    const reason = errorMessage(error);
    throw new HookActionError(hook, `the program could not be started: ${reason}`, {
      cause: error,
    });
  }
  const { termination } = result;
  if (termination === "output-limit") {
    throw new HookActionError(hook, `the program wrote more than ${LARGEST_OUTPUT} bytes`);
  }
  if (termination !== "exit") {
    throw new HookActionError(hook, `the program did not end by itself (${termination})`);
  }
  return result;
}

function variables(
  input: HookInput,
  hook: string,
  event: string,
  file: string | undefined,
): Readonly<Record<string, string>> {
  const { point, channel = "", sender = "", tool = "" } = input;
  const { content: _content, params: _params, ...small } = input;
  return {
    HOOK_EVENT:
      file === undefined
        ? event
        : eventJson({ ...small, data: { ...small.data, truncated: true, file } }, hook),
    ...(file === undefined ? {} : { HOOK_EVENT_FILE: file }),
    HOOK_POINT: point,
    HOOK_CHANNEL: withoutNul(channel),
    HOOK_SENDER: withoutNul(sender),
    HOOK_TOOL: withoutNul(tool),
  };
}

/** Writes an event that is too long for a variable to a file that only its owner can read. */
async function eventFile(event: string): Promise<AsyncDisposable & { readonly path: string }> {
  const folder = await mkdtemp(join(tmpdir(), "openclaw-hook-"));
  const path = join(folder, "event.json");
  await writeFile(path, event, { mode: 0o600 });
  return {
    path,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

/** A variable ends at a NUL character. */
function withoutNul(text: string): string {
  return text.replaceAll("\0", "");
}
