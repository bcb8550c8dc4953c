/** Concurrency slot that a task occupies. */
export interface TurnPlace {
  /**
   * Releases the slot to other work during a wait; the session stays occupied.
   * @param wait - wait that does no work
   */
  without<Result>(wait: () => Promise<Result>): Promise<Result>;
}

/**
 * Runs tasks one at a time per session, and with a bounded concurrency over all sessions (TURN-056). When tasks wait for
 * a slot, each origin of tasks gets one in turn, so that a channel that floods does not hold up the others.
 */
export class TurnQueue {
  /** Last task of each session. */
  readonly #tails = new Map<string, Promise<unknown>>();
  /** Tasks that wait for a slot, by origin; the origin that got a slot last is the last one. */
  readonly #waiting = new Map<string, (() => void)[]>();
  readonly #watchers: (() => void)[] = [];
  readonly #places: () => number;
  #taken = 0;
  #size = 0;

  /** @param places - maximum number of sessions whose tasks run concurrently, which may change */
  constructor(places: number | (() => number)) {
    this.#places = typeof places === "function" ? places : () => places;
  }

  /** Number of unfinished tasks. */
  get size(): number {
    return this.#size;
  }

  /**
   * Runs a task after its session's earlier tasks, when a slot is free.
   * @param sessionKey - session; its tasks run in order
   * @param work - function that is called at most once; its failure rejects the returned promise
   * @param origin - origin of the task, for example the account of a channel
   */
  run<Result>(
    sessionKey: string,
    work: (place: TurnPlace) => Promise<Result>,
    origin = "",
  ): Promise<Result> {
    this.#size += 1;
    const earlier = this.#tails.get(sessionKey) ?? Promise.resolve();
    const result = this.#runAfter(earlier, work, origin);
    const tail = result
      .catch(() => undefined)
      .then(() => {
        this.#size -= 1;
        if (this.#tails.get(sessionKey) === tail) this.#tails.delete(sessionKey);
        if (this.#size === 0) for (const resolve of this.#watchers.splice(0)) resolve();
      });
    this.#tails.set(sessionKey, tail);
    return result;
  }

  /** True if a place is free. */
  get hasPlace(): boolean {
    return this.#taken < this.#places();
  }

  /**
   * Returns true if a session has no work.
   * @param sessionKey - key of the work
   */
  isFree(sessionKey: string): boolean {
    return !this.#tails.has(sessionKey);
  }

  /** Resolves when no work is left. */
  idle(): Promise<void> {
    return this.#size === 0
      ? Promise.resolve()
      : new Promise((resolve) => this.#watchers.push(resolve));
  }

  async #runAfter<Result>(
    earlier: Promise<unknown>,
    work: (place: TurnPlace) => Promise<Result>,
    origin: string,
  ): Promise<Result> {
    await earlier;
    await this.#takePlace(origin);
    try {
      return await work({ without: (wait) => this.#without(wait, origin) });
    } finally {
      this.#givePlaceBack();
    }
  }

  async #without<Result>(wait: () => Promise<Result>, origin: string): Promise<Result> {
    this.#givePlaceBack();
    try {
      return await wait();
    } finally {
      await this.#takePlace(origin);
    }
  }

  async #takePlace(origin: string): Promise<void> {
    if (this.hasPlace && this.#waiting.size === 0) {
      this.#taken += 1;
      return;
    }
    await new Promise<void>((resolve) => {
      const waiting = this.#waiting.get(origin);
      if (waiting === undefined) this.#waiting.set(origin, [resolve]);
      else waiting.push(resolve);
      // The number of places may have grown.
      this.#admit();
    });
  }

  #givePlaceBack(): void {
    this.#taken -= 1;
    this.#admit();
  }

  /** Gives free places to tasks that wait: several when the number of places grew. */
  #admit(): void {
    for (let [next] = this.#waiting; next !== undefined && this.hasPlace; [next] = this.#waiting) {
      this.#taken += 1;
      this.#admitOne(next);
    }
  }

  #admitOne([origin, waiting]: [string, (() => void)[]]): void {
    const resolve = waiting.shift();
    this.#waiting.delete(origin);
    // Behind the other origins.
    if (waiting.length > 0) this.#waiting.set(origin, waiting);
    resolve?.();
  }
}
