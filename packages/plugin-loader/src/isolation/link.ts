import { type ChildProcess, spawn } from "node:child_process";
import { Socket } from "node:net";
import { Worker } from "node:worker_threads";
import { errorMessage } from "@openclaw/foundation";
import { FrameReader, frameOf, PIPE } from "./frames.js";
import type { ChildMessage, HostMessage } from "./message.js";

/** Memory of an isolated plugin, in MiB. */
const MEMORY_MIB = 256;

/** Connection to the thread or process of a plugin. */
export interface Link {
  /**
   * Sends a message.
   * @throws DataCloneError for a value that cannot cross
   */
  send(message: HostMessage): void;
  /** Ends the thread or process at once, with everything that it started. */
  kill(): void;
}

/** Receiver of the messages of a plugin, and of its end. */
export interface LinkEvents {
  /** A message, whose content the plugin can choose. */
  message(message: ChildMessage): void;
  /** It sent something that is not a message. */
  broken(problem: string): void;
  /** Text that it printed. */
  printed(text: string): void;
  /** The thread or process ended, once. */
  ended(reason: string): void;
}

/** Start of the process of a plugin. */
export interface ProcessStart {
  readonly program: string;
  readonly arguments: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * Starts a thread for a plugin.
 * @param file - program of the other side
 * @param events - receiver
 */
export function startWorker(file: string, events: LinkEvents): Link {
  const worker = new Worker(file, {
    // Not those of the host, which may be options for its own program.
    execArgv: [],
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MIB },
  });
  const end = once(events.ended);
  let failure: string | undefined;
  worker.on("message", events.message);
  worker.on("error", (error: unknown) => {
    failure = error instanceof Error ? error.message : String(error);
  });
  worker.on("exit", (code) => end(failure ?? `its thread exited with ${code}`));
  for (const stream of [worker.stdout, worker.stderr]) {
    stream.on("data", (chunk) => events.printed(String(chunk)));
  }
  worker.unref();
  return {
    send: (message) => worker.postMessage(message),
    kill: () => void worker.terminate(),
  };
}

/**
 * Starts a process for a plugin.
 * @param start - program, which may be a sandbox around it
 * @param events - receiver
 */
export function startProcess(start: ProcessStart, events: LinkEvents): Link {
  const child = spawn(start.program, start.arguments, {
    // A pipe of its own: what the channel of Node.js cannot read would be an uncaught error of the host.
    stdio: ["ignore", "pipe", "pipe", "pipe"],
    env: { ...start.environment },
    // A group, so that everything it starts ends with it.
    detached: true,
  });
  const end = once(events.ended);
  const pipe = child.stdio[PIPE];
  const reader = new FrameReader();
  if (pipe instanceof Socket) {
    pipe.on("data", (chunk) => {
      try {
        reader.push(chunk, (message) => events.message(message as ChildMessage));
      } catch (error) {
        pipe.pause();
        events.broken(errorMessage(error));
      }
    });
    // Its end is told with that of the process.
    pipe.on("error", () => undefined);
    pipe.unref();
  }
  child.on("error", (error) => end(error.message));
  child.on("exit", (code, signal) => {
    killGroup(child);
    end(signal === null ? `its process exited with ${code}` : `its process ended by ${signal}`);
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk) => events.printed(String(chunk)));
  }
  child.unref();
  return {
    send(message) {
      const frame = frameOf(message);
      if (pipe instanceof Socket && pipe.writable) pipe.write(frame);
    },
    kill: () => killGroup(child),
  };
}

/** Arguments of Node.js for the process of a plugin. */
export const NODE_OPTIONS: readonly string[] = [`--max-old-space-size=${MEMORY_MIB}`];

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}

function once(call: (reason: string) => void): (reason: string) => void {
  let isCalled = false;
  return (reason) => {
    if (isCalled) return;
    isCalled = true;
    call(reason);
  };
}
