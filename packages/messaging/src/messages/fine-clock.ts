/** Difference between the two clocks that is not only the resolution of the first, in milliseconds. */
const MOST_DRIFT_MS = 2;

/**
 * The time of the machine with a resolution below a millisecond. `performance.timeOrigin` alone is wrong by as much as the
 * clock was set, or the machine slept, since the process began.
 */
export class FineClock {
  #origin = performance.timeOrigin;

  /** Returns the time in milliseconds since the epoch. */
  now(): number {
    const elapsed = performance.now();
    const drift = Date.now() - (this.#origin + elapsed);
    if (Math.abs(drift) > MOST_DRIFT_MS) this.#origin += drift;
    return this.#origin + elapsed;
  }
}
