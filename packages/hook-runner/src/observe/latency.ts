/** Durations, counted in buckets that double; the first holds everything up to 1 µs. */
export interface LatencyHistogram {
  /** Number of timed calls; not every call is timed. */
  readonly samples: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  /** Non-empty buckets, shortest first. */
  readonly buckets: readonly LatencyBucket[];
}

export interface LatencyBucket {
  /** Upper bound in ms. */
  readonly upToMs: number;
  readonly count: number;
}

export class Latency {
  /** Index: number of bits of the duration in µs. */
  private readonly counts = new Map<number, number>();
  private samples = 0;
  private maxMs = 0;

  add(durationMs: number): void {
    const bits = 32 - Math.clz32(durationMs * 1000);
    this.counts.set(bits, (this.counts.get(bits) ?? 0) + 1);
    this.samples += 1;
    if (durationMs > this.maxMs) this.maxMs = durationMs;
  }

  histogram(): LatencyHistogram {
    const { samples, maxMs } = this;
    const buckets = [...this.counts]
      .sort(([a], [b]) => a - b)
      .map(([bits, count]) => ({ upToMs: 2 ** bits / 1000, count }));
    // The bound of the bucket the quantile falls into, or the longest duration if that is less.
    const quantile = (share: number): number => {
      let before = 0;
      let bound = 0;
      for (const { upToMs, count } of buckets) {
        if (before < samples * share) bound = Math.min(upToMs, maxMs);
        before += count;
      }
      return bound;
    };
    return { samples, p50Ms: quantile(0.5), p99Ms: quantile(0.99), maxMs, buckets };
  }
}
