const WINDOW_MS = 60_000;

/** Counts the requests of the last minute. */
export class RequestRate {
  readonly #limit: number;
  readonly #now: () => number;
  #times: number[] = [];

  /**
   * @param limit - maximum number of requests in a minute
   * @param now - returns milliseconds since the epoch
   */
  constructor(limit: number, now: () => number) {
    this.#limit = limit;
    this.#now = now;
  }

  /**
   * Counts a request, unless there were too many.
   * @returns the number of seconds after which a request is accepted again; undefined when this one is
   */
  take(): number | undefined {
    const now = this.#now();
    this.#times = this.#times.filter((time) => now - time < WINDOW_MS);
    const [oldest] = this.#times;
    if (oldest !== undefined && this.#times.length >= this.#limit) {
      return Math.max(1, Math.ceil((oldest + WINDOW_MS - now) / 1000));
    }
    this.#times.push(now);
    return undefined;
  }
}
