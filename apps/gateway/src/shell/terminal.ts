import { createInterface, type Interface } from "node:readline/promises";
import { createColors } from "picocolors";

/** Where a command writes, and whether a person sits there. */
export interface Terminal {
  /** True when input and output are a person's terminal. */
  readonly isInteractive: boolean;
  readonly colors: ReturnType<typeof createColors>;
  /** Size of the screen in characters; absent, and with undefined members, where there is none. */
  size?(): { readonly rows: number | undefined; readonly columns: number | undefined };
  /** Results, on standard output. */
  print(line: string): void;
  /** Results without a line break. */
  write(text: string): void;
  /** Notes and errors, on standard error. */
  note(line: string): void;
  /** Opens line input; close it when done. */
  openInput(): Interface;
}

/**
 * The process's own terminal. Colours are used on a terminal without `NO_COLOR` only.
 * @param environment - `NO_COLOR` is honoured when it is not empty
 */
export function processTerminal(environment: NodeJS.ProcessEnv): Terminal {
  const { stdin, stdout, stderr } = process;
  for (const stream of [stdout, stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      // A reader that has seen enough closes the pipe; that is no failure of ours.
      if (error.code === "EPIPE") process.exit(0);
      throw error;
    });
  }
  const colourful = stdout.isTTY === true && !environment.NO_COLOR;
  return {
    isInteractive: stdin.isTTY === true && stdout.isTTY === true,
    colors: createColors(colourful),
    size: () => ({ rows: stdout.rows, columns: stdout.columns }),
    print: (line) => stdout.write(`${line}\n`),
    write: (text) => stdout.write(text),
    note: (line) => stderr.write(`${line}\n`),
    openInput: () => createInterface({ input: stdin, output: stdout, historySize: 200 }),
  };
}
