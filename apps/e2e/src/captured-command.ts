// Node also runs this file without a build, in `run-commands.mjs`: it imports no other source and uses no syntax beyond
// types.
import { createInterface } from "node:readline/promises";
import { PassThrough } from "node:stream";
import { createColors } from "picocolors";
import type { CommandResult } from "./openclaw-process.js";

/** The command line, as the program `openclaw` runs it. */
export interface CommandLine {
  runCommandLine(
    args: readonly string[],
    environment: NodeJS.ProcessEnv,
    terminal: object,
  ): Promise<number>;
}

/** Arguments, folder and environment of a command. */
export interface CapturedCommand {
  /** Without the program's name. */
  readonly args: readonly string[];
  /** Working directory. */
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Runs a command in this process and returns its output. Working directory and environment belong to the process, so
 * that callers run one command at a time.
 * @param commandLine - from the sources or the build
 * @param command - arguments, folder and environment
 */
export async function runCaptured(
  { runCommandLine }: CommandLine,
  { args, folder, environment }: CapturedCommand,
): Promise<CommandResult> {
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
  const restore = changeProcess(folder, environment);
  try {
    const exitCode = await runCommandLine(args, process.env, terminal);
    return { exitCode, stdout, stderr };
  } finally {
    restore();
  }
}

/** Gives this process a working directory and an environment, and returns the function that restores them. */
function changeProcess(folder: string, environment: NodeJS.ProcessEnv): () => void {
  const before = { folder: process.cwd(), environment: { ...process.env } };
  const listeners = new Map(SIGNALS.map((name) => [name, process.listeners(name)]));
  setEnvironment(environment);
  // Called on `process`: Playwright replaces cwd and chdir there, and its cwd keeps the folder until its chdir is called.
  process.chdir(folder);
  return () => {
    process.chdir(before.folder);
    setEnvironment(before.environment);
    for (const [name, known] of listeners) {
      for (const listener of process.listeners(name)) {
        if (!known.includes(listener)) process.off(name, listener);
      }
    }
  };
}

function setEnvironment(environment: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, environment);
}
