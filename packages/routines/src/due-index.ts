interface Entry {
  readonly routineId: string;
  readonly at: number;
}

/** Due times in memory, soonest first, so that a look at the clock reads only those that have come. */
export class DueIndex {
  readonly #times = new Map<string, number>();
  readonly #sorted: Entry[] = [];

  /** Number of routines that come due. */
  get size(): number {
    return this.#times.size;
  }

  /** The soonest due time; infinite when there is none. */
  get soonest(): number {
    return this.#sorted[0]?.at ?? Number.POSITIVE_INFINITY;
  }

  /**
   * Sets the due time of a routine, instead of an earlier one.
   * @param routineId - ID of the routine
   * @param at - milliseconds since the epoch
   */
  set(routineId: string, at: number): void {
    this.delete(routineId);
    this.#times.set(routineId, at);
    const entry = { routineId, at };
    this.#sorted.splice(this.#placeOf(entry), 0, entry);
  }

  /**
   * Removes the due time of a routine.
   * @param routineId - ID of the routine
   */
  delete(routineId: string): void {
    const at = this.#times.get(routineId);
    if (at === undefined) return;
    this.#times.delete(routineId);
    this.#sorted.splice(this.#placeOf({ routineId, at }), 1);
  }

  /**
   * Returns the due times that have come, soonest first.
   * @param now - milliseconds since the epoch
   */
  due(now: number): readonly Entry[] {
    const end = this.#sorted.findIndex(({ at }) => at > now);
    return this.#sorted.slice(0, end === -1 ? undefined : end);
  }

  /** Returns the first position whose entry is not before another, by binary search. */
  #placeOf(entry: Entry): number {
    let low = 0;
    let high = this.#sorted.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const there = this.#sorted[middle];
      if (there !== undefined && isBefore(there, entry)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function isBefore(one: Entry, other: Entry): boolean {
  return one.at < other.at || (one.at === other.at && one.routineId < other.routineId);
}
