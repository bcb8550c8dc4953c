/** Decision about one event. */
export type WindowDecision =
  | { readonly isAllowed: true }
  | {
      readonly isAllowed: false;
      /** Milliseconds until the oldest event leaves the window. */
      readonly waitMs: number;
    };

/** Counts events by key in a window that moves with time. An event that is not allowed does not count. */
export class SlidingWindow {
  readonly #max: number;
  readonly #windowMs: number;
  /** Times of the events of each key, oldest first. */
  readonly #times = new Map<string, number[]>();

  /**
   * @param max - number of events in a window
   * @param windowMs - length of the window in milliseconds
   */
  constructor(max: number, windowMs: number) {
    this.#max = max;
    this.#windowMs = windowMs;
  }

  /**
   * Decides about an event, and counts it when it is allowed.
   * @param key - whose event it is
   * @param now - milliseconds since the epoch
   */
  take(key: string, now: number): WindowDecision {
    const times = this.#within(key, now);
    const oldest = times[times.length - this.#max];
    if (oldest !== undefined) {
      return { isAllowed: false, waitMs: Math.max(1, oldest + this.#windowMs - now) };
    }
    times.push(now);
    this.#times.set(key, times);
    return { isAllowed: true };
  }

  /**
   * Counts an event of an earlier process.
   * @param key - whose event it was
   * @param at - milliseconds since the epoch
   */
  restore(key: string, at: number): void {
    const times = this.#times.get(key) ?? [];
    const isLast = (times.at(-1) ?? at) <= at;
    times.push(at);
    if (!isLast) times.sort((left, right) => left - right);
    this.#times.set(key, times);
  }

  /**
   * Forgets keys without an event in the window.
   * @param now - milliseconds since the epoch
   */
  prune(now: number): void {
    for (const key of this.#times.keys()) {
      if (this.#within(key, now).length === 0) this.#times.delete(key);
    }
  }

  /** Number of keys that are remembered. */
  get size(): number {
    return this.#times.size;
  }

  /** Returns the events of a key in the window; those of a clock that was set back count as now. */
  #within(key: string, now: number): number[] {
    const times = this.#times.get(key) ?? [];
    for (let last = times.length - 1; last >= 0 && (times[last] ?? now) > now; last -= 1) {
      times[last] = now;
    }
    let gone = 0;
    while (gone < times.length && (times[gone] ?? now) <= now - this.#windowMs) gone += 1;
    if (gone > 0) times.splice(0, gone);
    return times;
  }
}
