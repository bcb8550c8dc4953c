import { createInterface, type Interface } from "node:readline/promises";
import { createColors } from "picocolors";
import { type CurrentPlugin, divertStrayOutput, type StrayLineReceiver } from "./stray-output.js";

/** Moves to the start of the line and removes it, for output above an input line. */
export const CLEAR_LINE = "\r\u001b[2K";

/** Terminal of a command: its output streams, and its input when it is interactive. */
export interface Terminal {
  /** True when input and output are an interactive terminal. */
  readonly isInteractive: boolean;
  /** True for an interactive terminal that can move its cursor, unless plain text was asked for with `NO_COLOR`. */
  readonly hasScreen: boolean;
  readonly colors: ReturnType<typeof createColors>;
  /**
   * Returns the size of the screen in characters; absent, or with undefined members, when there is no screen.
   */
  size?(): { readonly rows: number | undefined; readonly columns: number | undefined };
  /** Prints a line of output to standard output. */
  print(line: string): void;
  /** Writes output to standard output without a line break. */
  write(text: string): void;
  /** Prints a note or an error to standard error. */
  note(line: string): void;
  /**
   * Replaces the status line on standard error, undefined removes it; absent when standard error is not a terminal.
   */
  readonly status?: ((line: string | undefined) => void) | undefined;
  /** Opens line input; the caller closes it. */
  openInput(): Interface;
  /**
   * Gives printed lines and notes, and what other code of the process prints, to a screen that has taken over the
   * terminal.
   * @param receive - shows a line, with the plugin that printed it if one did
   * @param currentPlugin - tells output of plugins from that of the host
   * @returns function that lets them be printed again
   */
  divert(receive: StrayLineReceiver, currentPlugin: CurrentPlugin): () => void;
}

/**
 * Returns the terminal of the process. Colours are used only on a terminal, and not when `NO_COLOR` is set.
 * @param environment - environment variables; an empty `NO_COLOR` is ignored
 */
export function processTerminal(environment: NodeJS.ProcessEnv): Terminal {
  const { stdin, stdout, stderr } = process;
  for (const stream of [stdout, stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      // The reader closed the pipe because it needs no more output; this is not an error.
      if (error.code === "EPIPE") process.exit(0);
      throw error;
    });
  }
  const colourful = stdout.isTTY === true && !environment.NO_COLOR;
  const isInteractive = stdin.isTTY === true && stdout.isTTY === true;
  let receiver: StrayLineReceiver | undefined;
  return {
    isInteractive,
    hasScreen: isInteractive && colourful && environment.TERM !== "dumb",
    colors: createColors(colourful),
    size: () => ({ rows: stdout.rows, columns: stdout.columns ?? columnsOf(environment) }),
    print: (line) =>
      receiver === undefined ? stdout.write(`${line}\n`) : receiver(line, undefined),
    write: (text) => stdout.write(text),
    note: (line) =>
      receiver === undefined ? stderr.write(`${line}\n`) : receiver(line, undefined),
    status: stderr.isTTY === true ? statusLine(stderr) : undefined,
    openInput: () => createInterface({ input: stdin, output: stdout, historySize: 200 }),
    divert(receive, currentPlugin) {
      receiver = receive;
      const restore = divertStrayOutput(receive, currentPlugin);
      return () => {
        restore();
        receiver = undefined;
      };
    },
  };
}

/** Returns the width that a script asks for; shells do not export the one of the terminal. */
function columnsOf({ COLUMNS = "" }: NodeJS.ProcessEnv): number | undefined {
  const columns = Number(COLUMNS);
  return Number.isInteger(columns) && columns > 0 ? columns : undefined;
}

function statusLine(stderr: NodeJS.WriteStream): (line: string | undefined) => void {
  let isShown = false;
  return (line) => {
    if (line === undefined && !isShown) return;
    isShown = line !== undefined;
    stderr.write(`${CLEAR_LINE}${line?.slice(0, stderr.columns - 1) ?? ""}`);
  };
}
