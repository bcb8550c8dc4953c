/** How often things happened since the host began, by name, for example `inbound_duplicates_total`. */
export interface Counters {
  /**
   * Counts once more.
   * @param name - lower case, ending in `_total`
   */
  increase(name: string): void;
  /** What was counted so far; names that never happened are absent. */
  values(): Readonly<Record<string, number>>;
}

/** Makes the counters of one host. */
export function createCounters(): Counters {
  const counts = new Map<string, number>();
  return {
    increase(name) {
      counts.set(name, (counts.get(name) ?? 0) + 1);
    },
    values: () => Object.fromEntries(counts),
  };
}
