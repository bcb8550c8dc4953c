/** Longest time of one call in milliseconds, with the time in which a person is asked. */
export const LONGEST_CALL_MS = 600_000;

/** Deadline of a call, which does not pass while a person is asked. */
export class CallDeadline {
  readonly #controller = new AbortController();
  #left: number;
  #timer: NodeJS.Timeout | undefined;
  #since = 0;
  #pauses = 0;
  #isOver = false;

  /** @param milliseconds - time of the call */
  constructor(milliseconds: number) {
    this.#left = milliseconds;
    this.#run();
  }

  /** Aborts when the time has passed. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Stops the time. */
  pause(): void {
    this.#pauses += 1;
    if (this.#pauses > 1) return;
    clearTimeout(this.#timer);
    this.#left -= performance.now() - this.#since;
  }

  /** Lets the time pass again. */
  resume(): void {
    this.#pauses -= 1;
    if (this.#pauses === 0 && !this.#isOver) this.#run();
  }

  /** Ends the deadline with its call. */
  end(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }

  #run(): void {
    this.#since = performance.now();
    this.#timer = setTimeout(() => this.#controller.abort(), Math.max(0, this.#left));
  }
}
