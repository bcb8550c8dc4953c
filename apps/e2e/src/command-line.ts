import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { Mutex } from "@openclaw/foundation";
import { type CapturedCommand, type CommandLine, runCaptured } from "./captured-command.js";
import {
  type CommandPlace,
  type CommandResult,
  environmentOf,
  openclawProcess,
} from "./openclaw-process.js";

const COMMAND_LINE = new URL("../../gateway/src/command-line.ts", import.meta.url).href;
const RUNNER = fileURLToPath(new URL("run-commands.mjs", import.meta.url));

/** Working directory and environment belong to the process, so that one command runs at a time. */
const turns = new Mutex();

/**
 * Runs the command line to its end in this process, which takes a tenth of the time of a new one. A command with standard
 * input, or within another program, gets a process. Use `builtOpenclaw` for commands that load plugins from disk, and
 * `openclawProcess` where the process itself is tested: its start, its signals, its pipes or its end.
 * @param args - without the program's name
 * @param place - folders, variables and input
 */
export async function openclaw(
  args: readonly string[],
  place: CommandPlace,
): Promise<CommandResult> {
  if (place.input !== undefined || place.within !== undefined) return openclawProcess(args, place);
  const commandLine: CommandLine = await import(COMMAND_LINE);
  return turns.run(() => runCaptured(commandLine, captured(args, place)));
}

/** The process of {@link builtOpenclaw}, and the end of its previous command. */
let runner: Promise<ChildProcess> | undefined;
const runnerTurns = new Mutex();

/**
 * Runs the built command line to its end in a process that runs one such command after another, which takes a fifth of
 * the time of a new one. Plugins on disk import the SDK of the build, which the process of a test does not load.
 * @param args - without the program's name
 * @param place - folders and variables
 */
export function builtOpenclaw(
  args: readonly string[],
  place: CommandPlace,
): Promise<CommandResult> {
  return runnerTurns.run(async () => {
    runner ??= startRunner();
    const child = await runner;
    child.ref();
    child.channel?.ref();
    const ended = new AbortController();
    const { signal } = ended;
    try {
      child.send(captured(args, place));
      const [answer] = await Promise.race([
        once(child, "message", { signal }),
        once(child, "exit", { signal }).then(([code]) => {
          runner = undefined;
          throw new Error(`openclaw ${args.join(" ")} ended its process with ${code}`);
        }),
      ]);
      return answer as CommandResult;
    } finally {
      ended.abort();
      child.unref();
      child.channel?.unref();
    }
  });
}

async function startRunner(): Promise<ChildProcess> {
  const child = fork(RUNNER, { execArgv: [] });
  await once(child, "message");
  return child;
}

function captured(args: readonly string[], place: CommandPlace): CapturedCommand {
  return { args, folder: place.workspace, environment: environmentOf(place) };
}
