import { createInterface } from "node:readline/promises";
import { PassThrough } from "node:stream";
import { Mutex } from "@openclaw/foundation";
import { createColors } from "picocolors";
import {
  type CommandPlace,
  type CommandResult,
  environmentOf,
  openclawProcess,
} from "./openclaw-process.js";

/** The command line, as the program `openclaw` runs it. */
interface CommandLine {
  runCommandLine(
    args: readonly string[],
    environment: NodeJS.ProcessEnv,
    terminal: object,
  ): Promise<number>;
}

const COMMAND_LINE = new URL("../../gateway/src/command-line.ts", import.meta.url).href;
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Working directory and environment belong to the process, so that one command runs at a time. */
const turns = new Mutex();

/**
 * Runs the command line to its end in this process, which takes a tenth of the time of a new one. A command with standard
 * input, or within another program, gets a process. Use `openclawProcess` where the build or the process itself is
 * tested: its start, its signals, its pipes or its end.
 * @param args - without the program's name
 * @param place - folders, variables and input
 */
export async function openclaw(
  args: readonly string[],
  place: CommandPlace,
): Promise<CommandResult> {
  if (place.input !== undefined || place.within !== undefined) return openclawProcess(args, place);
  const { runCommandLine }: CommandLine = await import(COMMAND_LINE);
  return turns.run(async () => {
    const environment = environmentOf(place);
    let stdout = "";
    let stderr = "";
    const write = (text: string) => {
      stdout += text;
    };
    const terminal = {
      isInteractive: false,
      hasScreen: false,
      colors: createColors(false),
      size: () => ({ columns: Number(environment.COLUMNS) || undefined }),
      print: (line: string) => write(`${line}\n`),
      write,
      note: (line: string) => {
        stderr += `${line}\n`;
      },
      openInput: () => createInterface({ input: new PassThrough().end() }),
      divert: () => () => {},
    };
    using _process = processIn(place.workspace, environment);
    const exitCode = await runCommandLine(args, process.env, terminal);
    return { exitCode, stdout, stderr };
  });
}

/** Gives this process a working directory and an environment, until they are disposed of. */
function processIn(folder: string, environment: NodeJS.ProcessEnv): Disposable {
  const before = { folder: process.cwd(), environment: { ...process.env } };
  const listeners = new Map(SIGNALS.map((name) => [name, process.listeners(name)]));
  setEnvironment(environment);
  // Called on `process`: Playwright replaces cwd and chdir there, and its cwd keeps the folder until its chdir is called.
  process.chdir(folder);
  return {
    [Symbol.dispose]() {
      process.chdir(before.folder);
      setEnvironment(before.environment);
      for (const [name, known] of listeners) {
        for (const listener of process.listeners(name)) {
          if (!known.includes(listener)) process.off(name, listener);
        }
      }
    },
  };
}

function setEnvironment(environment: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, environment);
}
