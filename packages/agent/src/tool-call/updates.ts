import { startOfText } from "@openclaw/foundation";

const LONGEST_UPDATE_BYTES = 65_536;
const INTERVAL_MS = 100;

/**
 * Forwards progress of a running call: at most ten updates per second, of which the latest wins, each at
 * most 64 KiB (TURN-039).
 */
export class ToolUpdates {
  readonly #show: (text: string) => void;
  #waiting: (() => string) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;

  /**
   * @param show - receives an update
   */
  constructor(show: (text: string) => void) {
    this.#show = show;
  }

  /**
   * Reports progress; ignored after the end.
   * @param read - returns the text; called only for an update that is shown
   */
  report(read: () => string): void {
    if (this.#isOver) return;
    this.#waiting = read;
    if (this.#timer === undefined) this.#flush();
  }

  /** Ends the call's progress and drops a waiting update, since the result replaces it. */
  end(): void {
    this.#isOver = true;
    this.#waiting = undefined;
    clearTimeout(this.#timer);
  }

  #flush(): void {
    this.#timer = undefined;
    const read = this.#waiting;
    if (read === undefined) return;
    this.#waiting = undefined;
    this.#timer = setTimeout(() => this.#flush(), INTERVAL_MS);
    this.#show(shortened(read()));
  }
}

function shortened(text: string): string {
  // A character takes at least one byte, so the rest of a huge text need not be encoded.
  const start = Buffer.from(startOfText(text, LONGEST_UPDATE_BYTES));
  // In stream mode the decoder omits a character that was cut in the middle.
  const head = start.subarray(0, LONGEST_UPDATE_BYTES);
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(head, { stream: true });
}
