import { spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { waitAtMost } from "@openclaw/foundation";
import { systemErrorCode } from "../system-error.js";
import { hasRunningProcess } from "./table.js";

/** Time between SIGTERM and SIGKILL to a group, in milliseconds. */
const TERMINATION_GRACE_MS = 2000;
/** Time for which the pipes of an ended leader stay open for remaining output, in milliseconds. */
const DRAIN_MS = 250;
/** Time to wait for processes to end after SIGKILL, in milliseconds. */
const KILL_WAIT_MS = 500;
/** First pause before checking if a group has ended, in milliseconds; doubles each time. */
const FIRST_PAUSE_MS = 5;

/** A standard descriptor of a program: nothing, a stream of the host, or an open file. */
export type Descriptor = "ignore" | "pipe" | number;

/** The host's ends of the descriptors that are pipes. */
export interface GroupStreams {
  readonly input: Writable | null;
  readonly output: Readable | null;
  readonly errors: Readable | null;
  /** Signals the group that its output is no longer read, as the system does for a pipe. */
  readonly signalBrokenPipe: () => void;
}

/** Program to start. */
export interface GroupCommand {
  readonly program: string;
  readonly arguments: readonly string[];
  /** Absolute. */
  readonly workdir: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Gets standard output and standard error as text, in the order it arrives. */
  readonly onOutput: (text: string) => void;
  /** Gets standard input, open as long as the leader runs; without it standard input is empty. */
  readonly onInput?: ((input: Writable) => void) | undefined;
  /** Connection of the program to others, used instead of `onOutput` and `onInput`. */
  readonly connection?: {
    readonly descriptors: readonly [Descriptor, Descriptor, Descriptor];
    /** True waits until what the program wrote has been read, because another program reads it. */
    readonly feedsNext: boolean;
    /** Called once the program was started. */
    readonly onStart: (streams: GroupStreams) => void;
  };
}

/** End of a process group. */
export interface GroupEnd {
  /** Exit code of the leader; null when a signal ended it. */
  readonly exitCode: number | null;
  /** The signal that ended the leader. */
  readonly signal: NodeJS.Signals | null;
  /** True when other processes outlived the leader and were ended. */
  readonly leftovers: boolean;
}

/**
 * Runs a program as the leader of a new process group and stops the whole group: when the leader ends or
 * the signal aborts, remaining processes get SIGTERM and, 2 seconds later, SIGKILL. A process that starts a
 * new session escapes this.
 * @param command - program to start
 * @param signal - ends the group early
 * @returns when the group has ended
 * @throws the system error when the program cannot be started
 */
export async function runProcessGroup(
  command: GroupCommand,
  signal: AbortSignal,
): Promise<GroupEnd> {
  const child = spawn(command.program, [...command.arguments], {
    cwd: command.workdir,
    env: { ...command.environment },
    detached: true,
    stdio: [
      ...(command.connection?.descriptors ?? [
        command.onInput === undefined ? ("ignore" as const) : ("pipe" as const),
        "pipe" as const,
        "pipe" as const,
      ]),
    ],
  });
  // A program may end without reading all its input; that is not an error.
  child.stdin?.on("error", () => undefined);
  if (command.connection !== undefined) {
    const { stdin: input, stdout: output, stderr: errors } = child;
    const signalBrokenPipe = () => {
      if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
        send(child.pid, "SIGPIPE");
      }
    };
    command.connection.onStart({ input, output, errors, signalBrokenPipe });
  } else {
    if (child.stdin !== null) command.onInput?.(child.stdin);
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding("utf8").on("data", command.onOutput);
    }
  }
  const exited = new Promise<{ exitCode: number | null; signal: NodeJS.Signals | null }>(
    (resolve, reject) => {
      child.once("error", reject);
      child.once("exit", (exitCode, endSignal) => resolve({ exitCode, signal: endSignal }));
    },
  );
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));

  let termination: Promise<void> | undefined;
  const terminate = (): Promise<void> | undefined => {
    if (child.pid !== undefined) termination ??= endGroup(child.pid);
    return termination;
  };
  signal.addEventListener("abort", terminate, { once: true });
  if (signal.aborted) terminate();
  try {
    const end = await exited;
    if (termination === undefined) {
      // The next program of a pipe may still read what this one wrote.
      if (command.connection?.feedsNext === true) await Promise.race([closed, aborted(signal)]);
      else await waitAtMost(DRAIN_MS, closed);
    }
    const leftovers =
      termination === undefined && child.pid !== undefined && (await isRunning(child.pid));
    if (leftovers) terminate();
    if (termination !== undefined) {
      await termination;
      await waitAtMost(DRAIN_MS, closed);
    }
    return { ...end, leftovers };
  } finally {
    signal.removeEventListener("abort", terminate);
    child.stdout?.destroy();
    child.stderr?.destroy();
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

async function endGroup(group: number): Promise<void> {
  send(group, "SIGTERM");
  if (await endsWithin(group, TERMINATION_GRACE_MS)) return;
  send(group, "SIGKILL");
  await endsWithin(group, KILL_WAIT_MS);
}

async function endsWithin(group: number, milliseconds: number): Promise<boolean> {
  const deadline = performance.now() + milliseconds;
  for (let pause = FIRST_PAUSE_MS; await isRunning(group); pause = Math.min(pause * 2, 100)) {
    if (performance.now() >= deadline) return false;
    await sleep(pause);
  }
  return true;
}

async function isRunning(group: number): Promise<boolean> {
  return send(group, 0) && (await hasRunningProcess(group));
}

/** @returns false when nothing of the group is left */
function send(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-group, signal);
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === "ESRCH") return false;
    // A process of the group runs as another user: it exists, but cannot be stopped.
    if (code === "EPERM") return true;
    throw error;
  }
}
