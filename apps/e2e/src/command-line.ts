import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { Mutex } from "@openclaw/foundation";
import {
  type CommandPlace,
  type CommandResult,
  environmentOf,
  openclawProcess,
} from "./openclaw-process.js";

const RUNNER = fileURLToPath(new URL("runners/commands.mjs", import.meta.url));

/** Working directory and environment belong to a process, so that one command runs at a time. */
const turns = new Mutex();

/** The process of {@link openclaw}. */
let runner: Promise<ChildProcess> | undefined;

/**
 * Runs the built command line to its end in a process that runs one command after another, which takes a fifth of the
 * time of a new one. A command with standard input, or within another program, gets a process. Use `openclawProcess`
 * where the process itself is tested: its start, its signals, its pipes or its end; and for a command that must load a
 * plugin for the first time.
 * @param args - without the program's name
 * @param place - folders, variables and input
 */
export async function openclaw(
  args: readonly string[],
  place: CommandPlace,
): Promise<CommandResult> {
  if (place.input !== undefined || place.within !== undefined) return openclawProcess(args, place);
  return turns.run(async () => {
    runner ??= startRunner();
    const child = await runner;
    child.ref();
    child.channel?.ref();
    try {
      child.send({ args, folder: place.workspace, environment: environmentOf(place) });
      const answer = await nextMessage(child);
      if ("failure" in answer) throw new Error(answer.failure);
      return answer;
    } finally {
      child.unref();
      child.channel?.unref();
    }
  });
}

type Answer = CommandResult | { readonly failure: string };

async function startRunner(): Promise<ChildProcess> {
  // With the folder of temporary files of the machine, where the compiled code of earlier processes is.
  const child = fork(RUNNER, { execArgv: [], env: { PATH: process.env.PATH } });
  child.once("exit", () => {
    runner = undefined;
  });
  await nextMessage(child);
  return child;
}

async function nextMessage(child: ChildProcess): Promise<Answer> {
  const listening = new AbortController();
  const { signal } = listening;
  try {
    const ended = once(child, "exit", { signal }).then(([exitCode, endedBy]) => {
      throw new Error(`a command ended the process of the commands (${exitCode ?? endedBy})`);
    });
    const [answer] = await Promise.race([once(child, "message", { signal }), ended]);
    return answer;
  } finally {
    listening.abort();
  }
}
