/** The place of work among the work that runs at once. */
export interface TurnPlace {
  /**
   * Gives the place to other work during a wait; the session stays taken.
   * @param wait - does no work of its own
   */
  without<Result>(wait: () => Promise<Result>): Promise<Result>;
}

/** Runs work one at a time per session and a bounded number at once over all sessions (TURN-056). */
export class TurnQueue {
  /** The last work of each session. */
  readonly #tails = new Map<string, Promise<unknown>>();
  readonly #waiting: (() => void)[] = [];
  readonly #watchers: (() => void)[] = [];
  readonly #place: TurnPlace = { without: (wait) => this.#without(wait) };
  #free: number;
  #size = 0;

  /** @param places - number of sessions whose work may run at once */
  constructor(places: number) {
    this.#free = places;
  }

  /** Number of pieces of work that have not ended. */
  get size(): number {
    return this.#size;
  }

  /**
   * Runs work when its session's earlier work has ended and a place is free.
   * @param sessionKey - work of one key keeps its order
   * @param work - started at most once; its failure rejects the returned promise
   */
  run<Result>(sessionKey: string, work: (place: TurnPlace) => Promise<Result>): Promise<Result> {
    this.#size += 1;
    const result = this.#runAfter(this.#tails.get(sessionKey) ?? Promise.resolve(), work);
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
    return this.#free > 0;
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
  ): Promise<Result> {
    await earlier;
    await this.#takePlace();
    try {
      return await work(this.#place);
    } finally {
      this.#givePlaceBack();
    }
  }

  async #without<Result>(wait: () => Promise<Result>): Promise<Result> {
    this.#givePlaceBack();
    try {
      return await wait();
    } finally {
      await this.#takePlace();
    }
  }

  async #takePlace(): Promise<void> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #givePlaceBack(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free += 1;
    else next();
  }
}
