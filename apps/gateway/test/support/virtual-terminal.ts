import { StdinBuffer, type Terminal } from "@earendil-works/pi-tui";
import headless from "@xterm/headless";

/** Keys as a terminal sends them. */
export const KEYS = {
  enter: "\r",
  escape: "\u001b",
  tab: "\t",
  backspace: "\u007f",
  up: "\u001b[A",
  home: "\u001b[H",
  end: "\u001b[F",
  pageDown: "\u001b[6~",
  ctrlC: "\u0003",
  ctrlG: "\u0007",
  ctrlO: "\u000f",
  ctrlR: "\u0012",
  ctrlS: "\u0013",
} as const;

/** Size of a terminal in characters. */
export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

/** Terminal in this process: what is written draws a screen, and what is typed arrives as from a keyboard. */
export class VirtualTerminal implements Terminal {
  readonly kittyProtocolActive = false;
  readonly #screen: headless.Terminal;
  #keyboard: StdinBuffer | undefined;
  #watchers: (() => void)[] = [];
  /** Everything that was written. */
  output = "";
  /** True between `start` and `stop`. */
  isStarted = false;

  constructor({ columns, rows }: TerminalSize = { columns: 100, rows: 40 }) {
    const options = { cols: columns, rows, scrollback: 5_000, allowProposedApi: true };
    this.#screen = new headless.Terminal(options);
    this.#screen.onData((data) => this.#keyboard?.process(data));
  }

  get columns(): number {
    return this.#screen.cols;
  }

  get rows(): number {
    return this.#screen.rows;
  }

  /** Text of the screen and of the scrollback above it, without trailing spaces. */
  get text(): string {
    return this.#lines(0).join("\n").trimEnd();
  }

  /** Lines of the visible screen. */
  get screen(): readonly string[] {
    return this.#lines(this.#screen.buffer.active.baseY);
  }

  start(onInput: (data: string) => void): void {
    this.isStarted = true;
    this.#keyboard = new StdinBuffer();
    this.#keyboard.on("data", onInput);
    this.#keyboard.on("paste", (text) => onInput(`\u001b[200~${text}\u001b[201~`));
  }

  stop(): void {
    this.isStarted = false;
    this.#keyboard?.destroy();
    this.#keyboard = undefined;
  }

  async drainInput(): Promise<void> {}

  write(data: string): void {
    this.output += data;
    this.#screen.write(data, () => {
      const woken = this.#watchers;
      this.#watchers = [];
      for (const wake of woken) wake();
    });
  }

  moveBy(): void {}
  hideCursor(): void {}
  showCursor(): void {}
  clearLine(): void {}
  clearFromCursor(): void {}
  clearScreen(): void {}
  setTitle(): void {}
  setProgress(): void {}

  /** Types text or keys. */
  type(text: string): void {
    this.#keyboard?.process(text);
    // A lone Escape is a key.
    for (const rest of this.#keyboard?.flush() ?? []) this.#keyboard?.emit("data", rest);
  }

  /** Pastes text, as a terminal with bracketed paste does. */
  paste(text: string): void {
    this.type(`\u001b[200~${text}\u001b[201~`);
  }

  /** Waits until a condition holds; it is checked after each output. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise<void>((resolve) => this.#watchers.push(resolve));
  }

  /** Waits until the text of screen and scrollback matches. */
  shows(pattern: RegExp | string): Promise<void> {
    return this.until(() =>
      typeof pattern === "string" ? this.text.includes(pattern) : pattern.test(this.text),
    );
  }

  #lines(first: number): string[] {
    const { active } = this.#screen.buffer;
    const lines: string[] = [];
    for (let row = first; row < active.length; row += 1) {
      lines.push(active.getLine(row)?.translateToString(true).trimEnd() ?? "");
    }
    return lines;
  }
}
