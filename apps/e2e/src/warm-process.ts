import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { createGate } from "./gate.js";
import {
  type CommandPlace,
  environmentOf,
  type GatewayProcess,
  gatewayArguments,
  type RunningCommand,
  readyGateway,
  startGatewayProcess,
} from "./openclaw-process.js";

const RUNNER = fileURLToPath(new URL("runners/at-pipes.mjs", import.meta.url));

/** Character that the runner prints to both of its streams when a command has ended. */
const END = "\0";

/** Processes whose command has ended, and which have loaded the command line. */
const idle: ChildProcess[] = [];

/**
 * Starts `openclaw gateway run` on a free port in a process that has run other commands, which takes a third of the
 * processor time of a new one, and waits until it says that it is ready. Use `startGatewayProcess` where the process is
 * tested: its start, its memory, or its end by a signal that it cannot handle.
 * @param place - folders and variables
 * @param args - further options
 */
export async function startGateway(
  place: CommandPlace,
  args: readonly string[] = [],
): Promise<GatewayProcess> {
  // What the options of Node change is set when a process starts.
  if (place.within !== undefined || place.environment?.NODE_OPTIONS !== undefined) {
    return await startGatewayProcess(place, args);
  }
  return await readyGateway(place, await runWarm(gatewayArguments(args), place), "SIGTERM");
}

/**
 * Runs a command of the built command line in a process that has run others before.
 * @param args - without the program's name
 * @param place - folders and variables
 */
async function runWarm(args: readonly string[], place: CommandPlace): Promise<RunningCommand> {
  const child = idle.pop() ?? (await startRunner());
  hold(child);
  const listeners: (() => void)[] = [];
  const collect = (stream: Readable | null) => {
    const end = createGate();
    const kept = { text: "", end: end.until };
    const listen = (text: string) => {
      const mark = text.indexOf(END);
      kept.text += mark === -1 ? text : text.slice(0, mark);
      if (mark !== -1) {
        stream?.off("data", listen);
        end.open();
      }
      for (const listener of listeners) listener();
    };
    stream?.on("data", listen);
    return kept;
  };
  const printed = collect(child.stdout);
  const errors = collect(child.stderr);
  let isRunning = true;
  const ended = answerOf(child).then(async (answer) => {
    isRunning = false;
    if (answer === undefined) return child.exitCode;
    await Promise.all([printed.end, errors.end]);
    release(child);
    idle.push(child);
    if (typeof answer === "number") return answer;
    errors.text += answer.failure;
    return null;
  });
  child.send({ args, folder: place.workspace, environment: environmentOf(place) });
  return {
    pid: child.pid ?? -1,
    output: () => ({ stdout: printed.text, stderr: errors.text }),
    onOutput: (listener) => void listeners.push(listener),
    ended,
    kill(signal) {
      // Its process may run another command by now.
      if (isRunning) child.kill(signal);
    },
  };
}

async function startRunner(): Promise<ChildProcess> {
  const child = fork(RUNNER, {
    // With the folder of temporary files of the machine, where the compiled code of earlier processes is.
    env: { PATH: process.env.PATH },
    ...{ execArgv: [], stdio: ["ignore", "pipe", "pipe", "ipc"] },
  });
  child.stdout?.setEncoding("utf8");
  child.stderr?.setEncoding("utf8");
  child.once("exit", () => {
    const place = idle.indexOf(child);
    if (place !== -1) idle.splice(place, 1);
  });
  const [ready] = await Promise.race([once(child, "message"), once(child, "exit")]);
  if (ready !== "ready") throw new Error(`the process of the commands ended with ${ready}`);
  return child;
}

/** Returns the exit code of the next command or its failure; nothing when the process ends. */
async function answerOf(
  child: ChildProcess,
): Promise<number | { readonly failure: string } | undefined> {
  const listening = new AbortController();
  const { signal } = listening;
  try {
    const [answer] = await Promise.race([
      once(child, "message", { signal }),
      once(child, "close", { signal }).then(() => [undefined]),
    ]);
    return answer?.exitCode ?? answer;
  } finally {
    listening.abort();
  }
}

/** Lets the process of the tests end while it is idle. */
function release(child: ChildProcess): void {
  child.unref();
  child.channel?.unref();
}

function hold(child: ChildProcess): void {
  child.ref();
  child.channel?.ref();
}
