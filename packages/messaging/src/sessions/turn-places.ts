/** Place of a turn among those that run. */
export interface TurnPlace {
  /**
   * Gives the place to other work during a wait; the session stays occupied.
   * @param wait - wait that does no work
   */
  without<Result>(wait: () => Promise<Result>): Promise<Result>;
  /**
   * Gives the place to other work, and the session to other nodes, during a wait.
   * @param wait - wait that does no work
   */
  outside<Result>(wait: () => Promise<Result>): Promise<Result>;
}

/**
 * Bounds the turns that run at once in all sessions (TURN-056). When turns wait for a place, each origin of turns gets one
 * in turn, so that a channel that floods does not hold up the others.
 */
export class TurnPlaces {
  /** Turns that wait for a place, by origin; the origin that got a place last is the last one. */
  readonly #waiting = new Map<string, (() => void)[]>();
  readonly #places: () => number;
  #taken = 0;

  /** @param places - maximum number of places, which may change */
  constructor(places: number | (() => number)) {
    this.#places = typeof places === "function" ? places : () => places;
  }

  /** True if a place is free. */
  get isFree(): boolean {
    return this.#taken < this.#places();
  }

  /**
   * Waits for a place.
   * @param origin - origin of the turn, for example the account of a channel
   */
  async take(origin: string): Promise<void> {
    if (this.isFree && this.#waiting.size === 0) {
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

  /** Gives a place back. */
  giveBack(): void {
    this.#taken -= 1;
    this.#admit();
  }

  /** Gives free places to turns that wait: several when the number of places grew. */
  #admit(): void {
    for (let [next] = this.#waiting; next !== undefined && this.isFree; [next] = this.#waiting) {
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
