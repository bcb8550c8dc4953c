import { type ChildProcess, spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { childEnvironment } from "@openclaw/core-tools";
import type { CommandResult, HostCommand } from "@openclaw/plugin-sdk/services";

/** Between asking a command to end and ending it by force, in milliseconds. */
const TERMINATION_GRACE_MS = 2000;
/** How much of each stream is kept, in characters; the newest. */
const MAXIMUM_OUTPUT = 8 * 1024 * 1024;

/**
 * Makes what runs programs for plugins. They get the harmless part of the host's environment and what
 * the plugin adds itself; when the time is up, or the plugin goes, they end with all they started.
 * @param environment - the host's own environment
 */
export function createCommandRunner(
  environment: NodeJS.ProcessEnv,
): (pluginId: string, command: HostCommand) => Promise<CommandResult> {
  const base = childEnvironment(environment);
  return (_pluginId, command) => run(command, { ...base, ...command.env });
}

async function run(
  { command, cwd, timeoutMs, signal, input }: HostCommand,
  env: Readonly<Record<string, string>>,
): Promise<CommandResult> {
  signal.throwIfAborted();
  const [program = "", ...programArguments] = command;
  // A group of its own, so that what it starts can be ended with it.
  const child = spawn(program, programArguments, { cwd, env, detached: true, stdio: "pipe" });
  let early: "timeout" | "aborted" | undefined;
  let force: NodeJS.Timeout | undefined;
  const end = (why: "timeout" | "aborted") => {
    early ??= why;
    endGroup(child, "SIGTERM");
    force ??= setTimeout(() => endGroup(child, "SIGKILL"), TERMINATION_GRACE_MS);
  };
  const timer = setTimeout(() => end("timeout"), timeoutMs);
  const abort = () => end("aborted");
  signal.addEventListener("abort", abort, { once: true });
  const stdout = collect(child.stdout);
  const stderr = collect(child.stderr);
  // A program need not read all of its input before it ends.
  child.stdin.on("error", () => {}).end(input);
  try {
    const { code, endSignal } = await closed(child);
    return {
      stdout: stdout.text,
      stderr: stderr.text,
      truncated: stdout.truncated || stderr.truncated,
      code,
      signal: endSignal,
      termination: early ?? (endSignal === null ? "exit" : "signal"),
    };
  } finally {
    clearTimeout(timer);
    clearTimeout(force);
    signal.removeEventListener("abort", abort);
    if (early !== undefined) endGroup(child, "SIGKILL");
  }
}

function collect(stream: Readable): { text: string; truncated: boolean } {
  const output = { text: "", truncated: false };
  stream.setEncoding("utf8").on("data", (text: string) => {
    output.text += text;
    if (output.text.length <= MAXIMUM_OUTPUT) return;
    output.text = output.text.slice(-MAXIMUM_OUTPUT);
    output.truncated = true;
  });
  return output;
}

function closed(
  child: ChildProcess,
): Promise<{ code: number | null; endSignal: NodeJS.Signals | null }> {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, endSignal) => resolve({ code, endSignal }));
  });
}

function endGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch (error) {
    // Nothing of the group is left.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
