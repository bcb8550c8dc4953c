import { type IPty, spawn } from "@lydell/node-pty";
import headless from "@xterm/headless";
import { BIN, type CommandPlace } from "./openclaw-process.js";

/** Time in milliseconds after which a failed wait reports what the screen shows. */
const LATE_MS = 60_000;

/** Size of a terminal in characters. */
export interface SessionSize {
  readonly columns: number;
  readonly rows: number;
}

/** The built `openclaw` at a real pseudo terminal, and the screen that its output draws. */
export interface TerminalSession extends AsyncDisposable {
  /** Text of the screen and of the scrollback above it, without trailing spaces. */
  readonly text: string;
  /** Lines of the visible screen. */
  readonly screen: readonly string[];
  /** Everything that the program wrote so far. */
  readonly output: string;
  /** Exit code, once the program has ended. */
  readonly exitCode: number | undefined;
  /** Types text or keys. */
  type(text: string): void;
  /** Pastes text, as a terminal with bracketed paste does. */
  paste(text: string): void;
  /** Waits until the text of screen and scrollback matches. */
  shows(pattern: RegExp | string): Promise<void>;
  /** Waits until a condition of the session holds; it is checked after each output. */
  until(holds: () => boolean, wanted?: string): Promise<void>;
  /** Changes the size of the terminal. */
  resize(size: SessionSize): void;
  /** Sends a signal to the program. */
  signal(name: NodeJS.Signals): void;
  /** Waits for the end of the program, and returns its exit code. */
  ended(): Promise<number>;
}

/** Keys of a terminal. */
export const KEYS = {
  enter: "\r",
  escape: "\u001b",
  tab: "\t",
  up: "\u001b[A",
  down: "\u001b[B",
  ctrlC: "\u0003",
  ctrlD: "\u0004",
  ctrlO: "\u000f",
} as const;

/**
 * Starts the built `openclaw` at a pseudo terminal.
 * @param args - without the program's name
 * @param place - folders and variables
 * @param size - size of the terminal; 100 by 30 when absent
 * @param before - text that is on the terminal already
 */
export function openTerminal(
  args: readonly string[],
  place: CommandPlace,
  size: SessionSize = { columns: 100, rows: 30 },
  before = "",
): TerminalSession {
  const screen = new headless.Terminal({
    ...{ cols: size.columns, rows: size.rows, scrollback: 10_000, allowProposedApi: true },
  });
  screen.write(before);
  const child: IPty = spawn(process.execPath, [BIN, ...args], {
    name: "xterm-256color",
    cols: size.columns,
    rows: size.rows,
    cwd: place.workspace,
    env: {
      PATH: process.env.PATH,
      HOME: place.state,
      OPENCLAW_STATE_DIR: place.state,
      OPENCLAW_TEST_METHODS: "1",
      COLORTERM: "truecolor",
      ...place.environment,
    },
  });
  let output = "";
  let exitCode: number | undefined;
  let watchers: (() => void)[] = [];
  const wake = () => {
    const woken = watchers;
    watchers = [];
    for (const watcher of woken) watcher();
  };
  // The terminal answers the questions of the program, as real ones do.
  screen.onData((data) => child.write(data));
  child.onData((data) => {
    output += data;
    screen.write(data, wake);
  });
  child.onExit((end) => {
    exitCode = end.exitCode;
    screen.write("", wake);
  });
  const linesFrom = (first: number): string[] => {
    const { active } = screen.buffer;
    const lines: string[] = [];
    for (let row = first; row < active.length; row += 1) {
      lines.push(active.getLine(row)?.translateToString(true).trimEnd() ?? "");
    }
    return lines;
  };
  const session: TerminalSession = {
    get text() {
      return linesFrom(0).join("\n").trimEnd();
    },
    get screen() {
      return linesFrom(screen.buffer.active.baseY);
    },
    get output() {
      return output;
    },
    get exitCode() {
      return exitCode;
    },
    type: (text) => child.write(text),
    paste: (text) => child.write(`\u001b[200~${text}\u001b[201~`),
    async until(holds, wanted = holds.toString()) {
      let isLate = false;
      const deadline = setTimeout(() => {
        isLate = true;
        wake();
      }, LATE_MS);
      try {
        while (!holds()) {
          if (isLate || exitCode !== undefined) {
            const problem = isLate ? "does not show it" : `ended with ${exitCode}`;
            throw new Error(`expected ${wanted}, but the program ${problem}:\n${session.text}`);
          }
          await new Promise<void>((resolve) => watchers.push(resolve));
        }
      } finally {
        clearTimeout(deadline);
      }
    },
    shows: (pattern) =>
      session.until(
        () =>
          typeof pattern === "string" ? session.text.includes(pattern) : pattern.test(session.text),
        String(pattern),
      ),
    resize({ columns, rows }) {
      screen.resize(columns, rows);
      child.resize(columns, rows);
    },
    signal: (name) => child.kill(name),
    async ended() {
      while (exitCode === undefined) {
        await new Promise<void>((resolve) => watchers.push(resolve));
      }
      return exitCode;
    },
    async [Symbol.asyncDispose]() {
      if (exitCode === undefined) {
        child.kill("SIGKILL");
        await session.ended();
      }
      screen.dispose();
    },
  };
  return session;
}
