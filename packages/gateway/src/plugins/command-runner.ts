import { type ChildProcess, spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { childEnvironment } from "@openclaw/core-tools";
import { endOfText } from "@openclaw/foundation";
import type { CommandResult, HostCommand } from "@openclaw/plugin-sdk/services";

/** Default time in milliseconds between asking a command to end and killing it. */
const TERMINATION_GRACE_MS = 2000;
/** Time in milliseconds for which processes that outlived the command may keep its output open. */
const DRAIN_MS = 250;
/** Maximum number of characters kept of each stream; the newest are kept. */
const MAXIMUM_OUTPUT = 8 * 1024 * 1024;

/**
 * Creates the runner of programs for plugins. Programs get the harmless part of the host's environment and
 * the variables of the plugin. At the deadline, above the maximum of output, or when the plugin is unloaded, they are
 * ended with their process group. Child processes that outlive a program and keep its output open are ended too; one
 * in a session of its own is not ended, but its output is no longer read.
 * @param environment - environment of the host
 */
export function createCommandRunner(
  environment: NodeJS.ProcessEnv,
): (pluginId: string, command: HostCommand) => Promise<CommandResult> {
  const own = { ...environment };
  let base: Readonly<Record<string, string>> | undefined;
  return (_pluginId, command) => {
    // Comparing every variable with the rules for secrets takes longer than the rest of the start of the plugins.
    base ??= childEnvironment(own);
    return run(command, { ...base, ...command.env });
  };
}

async function run(
  { command, cwd, timeoutMs, signal, input, graceMs, maxOutputBytes }: HostCommand,
  env: Readonly<Record<string, string>>,
): Promise<CommandResult> {
  signal.throwIfAborted();
  const [program = "", ...programArguments] = command;
  // A separate process group, so that child processes can be ended with it.
  const child = spawn(program, programArguments, { cwd, env, detached: true, stdio: "pipe" });
  let early: "timeout" | "aborted" | "output-limit" | undefined;
  let force: NodeJS.Timeout | undefined;
  let drain: NodeJS.Timeout | undefined;
  const kill = () => {
    endGroup(child, "SIGKILL");
    // A process outside the group can keep the pipes open for ever.
    drain ??= setTimeout(() => closePipes(child), DRAIN_MS);
  };
  const end = (why: "timeout" | "aborted") => {
    early ??= why;
    endGroup(child, "SIGTERM");
    force ??= setTimeout(kill, graceMs ?? TERMINATION_GRACE_MS);
  };
  const timer = setTimeout(() => end("timeout"), timeoutMs);
  const abort = () => end("aborted");
  signal.addEventListener("abort", abort, { once: true });
  child.once("exit", () => {
    force ??= setTimeout(kill, DRAIN_MS);
  });
  const overflow = () => {
    early ??= "output-limit";
    kill();
  };
  const stdout = collect(child.stdout, maxOutputBytes, overflow);
  const stderr = collect(child.stderr, maxOutputBytes, overflow);
  // A program may end before it has read all of its input.
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
    clearTimeout(drain);
    signal.removeEventListener("abort", abort);
    if (early !== undefined) endGroup(child, "SIGKILL");
  }
}

/** Keeps the newest output, or with a maximum the first bytes of it. */
function collect(
  stream: Readable,
  maximumBytes: number | undefined,
  onOverflow: () => void,
): { text: string; truncated: boolean } {
  const output = { text: "", truncated: false };
  let bytes = 0;
  stream.setEncoding("utf8").on("data", (text: string) => {
    if (maximumBytes !== undefined) {
      if (output.truncated) return;
      bytes += Buffer.byteLength(text);
      if (bytes <= maximumBytes) output.text += text;
      else {
        output.truncated = true;
        onOverflow();
      }
      return;
    }
    output.text += text;
    if (output.text.length <= MAXIMUM_OUTPUT) return;
    output.text = endOfText(output.text, MAXIMUM_OUTPUT);
    output.truncated = true;
  });
  return output;
}

function closePipes({ stdin, stdout, stderr }: ChildProcess): void {
  for (const stream of [stdin, stdout, stderr]) stream?.destroy();
}

function closed(
  child: ChildProcess,
): Promise<{ code: number | null; endSignal: NodeJS.Signals | null }> {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, endSignal) => resolve({ code, endSignal }));
  });
}

/**
 * Sends a signal to the process group of a child; a group that has ended is left alone.
 * @param child - leader of the group
 * @param signal - signal to send
 */
export function endGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch (error) {
    // The group has already ended.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
