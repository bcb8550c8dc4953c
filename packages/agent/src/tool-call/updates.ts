const LONGEST_UPDATE_BYTES = 65_536;
const INTERVAL_MS = 100;

/**
 * Passes on what a running call reports of its progress: at most ten updates a second, of which the latest
 * wins, each at most 64 KiB (TURN-039).
 */
export class ToolUpdates {
  readonly #show: (text: string) => void;
  #waiting: (() => string) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;

  /**
   * @param show - takes an update
   */
  constructor(show: (text: string) => void) {
    this.#show = show;
  }

  /**
   * Reports progress; ignored after the end.
   * @param read - makes the text; called only for an update that is shown
   */
  report(read: () => string): void {
    if (this.#isOver) return;
    this.#waiting = read;
    if (this.#timer === undefined) this.#flush();
  }

  /** The call is over: what still waits is dropped, for the result tells more. */
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
  if (text.length * 3 <= LONGEST_UPDATE_BYTES) return text;
  const bytes = Buffer.from(text.slice(0, LONGEST_UPDATE_BYTES));
  if (bytes.length <= LONGEST_UPDATE_BYTES) return text;
  // Told that more may come, the decoder leaves out a character that the cut went through.
  const head = bytes.subarray(0, LONGEST_UPDATE_BYTES);
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(head, { stream: true });
}
