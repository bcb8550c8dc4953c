/** Counts of events since the host started, by name, for example `inbound_duplicates_total`. */
export interface Counters {
  /**
   * Increments a counter.
   * @param name - lower case, ending in `_total`
   */
  increase(name: string): void;
  /** Returns the current counts; names that were never increased are absent. */
  values(): Readonly<Record<string, number>>;
}

/** Creates the counters of one host. */
export function createCounters(): Counters {
  const counts = new Map<string, number>();
  return {
    increase(name) {
      counts.set(name, (counts.get(name) ?? 0) + 1);
    },
    values: () => Object.fromEntries(counts),
  };
}
