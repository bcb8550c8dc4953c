/** Time limit of a run that does not elapse while a person decides (LOB-014). */
export class RunClock {
  readonly #expired: () => void;
  #left: number;
  #startedAt = 0;
  #pauses = 0;
  #timer: NodeJS.Timeout | undefined;

  /**
   * @param milliseconds - time limit
   * @param expired - called once when it has elapsed
   */
  constructor(milliseconds: number, expired: () => void) {
    this.#left = milliseconds;
    this.#expired = expired;
    this.#start();
  }

  /** Stops the time; each call needs a call of {@link resume}. */
  pause(): void {
    this.#pauses += 1;
    if (this.#pauses > 1) return;
    clearTimeout(this.#timer);
    this.#left -= performance.now() - this.#startedAt;
  }

  /** Continues the time once every pause has ended. */
  resume(): void {
    this.#pauses -= 1;
    if (this.#pauses === 0) this.#start();
  }

  /** Ends the clock. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#pauses = Number.POSITIVE_INFINITY;
  }

  #start(): void {
    this.#startedAt = performance.now();
    this.#timer = setTimeout(this.#expired, Math.max(0, this.#left));
  }
}
