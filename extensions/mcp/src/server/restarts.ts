/** Times in milliseconds before each restart of a server; the last one repeats (EXT-013). */
export const RESTART_DELAYS_MS: readonly number[] = [1, 2, 4, 8, 16, 32, 60].map((s) => s * 1000);
/** A server that ran for this time in milliseconds counts as healthy, and its next restart is the first. */
const HEALTHY_MS = 60_000;

/** Times between the restarts of one server. */
export class Restarts {
  readonly #delays: readonly number[];
  #failures = 0;

  /** @param delays - times in milliseconds before each restart */
  constructor(delays: readonly number[]) {
    this.#delays = delays;
  }

  /** Returns the time in milliseconds before the next restart, after one more failure. */
  next(): number {
    const delay = this.#delays[Math.min(this.#failures, this.#delays.length - 1)] ?? 0;
    this.#failures += 1;
    return delay;
  }

  /**
   * Notes the end of a connection.
   * @param milliseconds - time for which it was open
   */
  ranFor(milliseconds: number): void {
    if (milliseconds >= HEALTHY_MS) this.#failures = 0;
  }
}
