/** The place of work among those that run at once. */
export interface TurnPlace {
  /**
   * Gives the place to others while something is waited for; the session stays taken.
   * @param wait - does no work of its own
   */
  without<Result>(wait: () => Promise<Result>): Promise<Result>;
}

/** Runs work one at a time per session and a bounded number at once over all sessions (TURN-056). */
export interface TurnQueue {
  /**
   * Runs work when its session's earlier work has ended and a place is free.
   * @param sessionKey - work of one key keeps its order
   * @param work - started at most once; its failure is the returned promise's
   */
  run<Result>(sessionKey: string, work: (place: TurnPlace) => Promise<Result>): Promise<Result>;
  /** Work that has not ended yet. */
  readonly size: number;
  /** Resolves when nothing is left. */
  idle(): Promise<void>;
}

/**
 * Makes a queue.
 * @param places - how many sessions' work may run at once
 */
export function createTurnQueue(places: number): TurnQueue {
  const tails = new Map<string, Promise<unknown>>();
  const waiting: (() => void)[] = [];
  const watchers: (() => void)[] = [];
  let free = places;
  let size = 0;

  async function takePlace(): Promise<void> {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
  }

  function givePlaceBack(): void {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next();
  }

  const place: TurnPlace = {
    async without(wait) {
      givePlaceBack();
      try {
        return await wait();
      } finally {
        await takePlace();
      }
    },
  };

  async function runAfter<Result>(
    earlier: Promise<unknown>,
    work: (place: TurnPlace) => Promise<Result>,
  ) {
    await earlier;
    await takePlace();
    try {
      return await work(place);
    } finally {
      givePlaceBack();
    }
  }

  return {
    run(sessionKey, work) {
      size += 1;
      const result = runAfter(tails.get(sessionKey) ?? Promise.resolve(), work);
      const tail = result
        .catch(() => undefined)
        .then(() => {
          size -= 1;
          if (tails.get(sessionKey) === tail) tails.delete(sessionKey);
          if (size === 0) for (const resolve of watchers.splice(0)) resolve();
        });
      tails.set(sessionKey, tail);
      return result;
    },
    get size() {
      return size;
    },
    idle() {
      return size === 0 ? Promise.resolve() : new Promise((resolve) => watchers.push(resolve));
    },
  };
}
