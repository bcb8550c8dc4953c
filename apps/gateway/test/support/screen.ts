import { createInterface, type Interface } from "node:readline/promises";
import { PassThrough } from "node:stream";
import { createColors } from "picocolors";
import { onTestFinished } from "vitest";
import { CLEAR_LINE, type Terminal } from "../../src/shell/terminal.js";

/** Terminal at which a test types. */
export interface TestScreen {
  readonly terminal: Terminal;
  /** Line input of the terminal. */
  readonly input: Interface;
  /** Text on the screen: output, notes, prompts and what was typed. */
  readonly text: string;
  type(line: string): void;
  /** Waits until the text matches. */
  shows(pattern: RegExp): Promise<void>;
}

/** Creates an interactive terminal without a process. */
export function createScreen(): TestScreen {
  const keyboard = new PassThrough();
  const output = new PassThrough();
  const input = createInterface({ input: keyboard, output, terminal: false });
  onTestFinished(() => input.close());
  let text = "";
  const watchers: (() => void)[] = [];
  const write = (part: string) => {
    // As a terminal does, a cleared line disappears.
    for (const [index, after] of part.split(CLEAR_LINE).entries()) {
      if (index > 0) text = text.slice(0, text.lastIndexOf("\n") + 1);
      text += after;
    }
    for (const wake of watchers.splice(0)) wake();
  };
  output.on("data", (part: Buffer) => write(part.toString()));
  return {
    input,
    terminal: {
      isInteractive: true,
      hasScreen: false,
      colors: createColors(false),
      print: (line) => write(`${line}\n`),
      write,
      note: (line) => write(`${line}\n`),
      openInput: () => input,
      divert: () => () => {},
    },
    get text() {
      return text;
    },
    type: (line) => void keyboard.write(`${line}\n`),
    async shows(pattern) {
      while (!pattern.test(text)) await new Promise<void>((resolve) => watchers.push(resolve));
    },
  };
}
