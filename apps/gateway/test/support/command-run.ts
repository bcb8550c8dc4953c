import { createInterface } from "node:readline/promises";
import { PassThrough } from "node:stream";
import { createColors } from "picocolors";
import { runCommandLine } from "../../src/command-line.js";
import type { Terminal } from "../../src/shell/terminal.js";

/** Output and exit status of a command. */
export interface CommandRun {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs `openclaw` to its end in this process, without a terminal.
 * @param args - arguments without the program's name
 * @param environment - environment variables of the command
 */
export async function runCommand(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<CommandRun> {
  let stdout = "";
  let stderr = "";
  const terminal: Terminal = {
    isInteractive: false,
    hasScreen: false,
    colors: createColors(false),
    print(line) {
      stdout += `${line}\n`;
    },
    write(text) {
      stdout += text;
    },
    note(line) {
      stderr += `${line}\n`;
    },
    openInput: () => createInterface({ input: new PassThrough().end() }),
    divert: () => () => {},
  };
  const exitCode = await runCommandLine(args, { ...environment }, terminal);
  return { exitCode, stdout, stderr };
}

/**
 * Runs `openclaw … --json` in this process.
 * @param args - arguments without the program's name and `--json`
 * @param environment - environment variables of the command
 * @returns the exit status, and the values that it printed, one for each line
 */
export async function runJson(args: readonly string[], environment: NodeJS.ProcessEnv) {
  const { exitCode, stdout } = await runCommand([...args, "--json"], environment);
  const lines = stdout.split("\n").filter((line) => line !== "");
  return { exitCode, values: lines.map((line) => JSON.parse(line)) };
}
