import type { HookCounts, RunnerCounts } from "@openclaw/hook-runner";
import { Counter, Histogram, type Registry } from "prom-client";
import { BoundedLabel } from "./bounded-label.js";
import { DURATION_BUCKETS } from "./duration-buckets.js";

const MAXIMUM_PLUGINS = 60;

/**
 * Registers the metrics of hooks. The hook runner counts anyway, so that a scrape only adds what its counters
 * grew by since the last one.
 * @param registry - registry of the metrics
 * @param counts - returns the counters of the current generation
 */
export function hookMetrics(registry: Registry, counts: () => RunnerCounts): void {
  const registers = [registry];
  const plugins = new BoundedLabel(MAXIMUM_PLUGINS);
  const failures = new Growth();
  new Counter({
    name: "openclaw_hook_failures_total",
    help: "Failed calls of hook handlers, by plugin; kind is `timeout` or `error`.",
    labelNames: ["plugin", "kind"],
    registers,
    collect() {
      for (const { registrationId, owner, failed } of counts().registrations) {
        const plugin = plugins.of(owner);
        for (const [code, count] of Object.entries(failed)) {
          const kind = code === "HOOK_TIMEOUT" ? "timeout" : "error";
          this.inc({ plugin, kind }, failures.since(`${registrationId} ${code}`, count));
        }
      }
    },
  });
  const durations = new Growth();
  new Histogram({
    name: "openclaw_hook_duration_seconds",
    help: "Time of a sample of the dispatches of hooks with handlers, in seconds, rounded up to a power of two in µs.",
    labelNames: ["hook"],
    buckets: DURATION_BUCKETS,
    registers,
    collect() {
      const hooks: [string, HookCounts][] = Object.entries(counts().hooks);
      for (const [hook, { latency }] of hooks) {
        for (const { upToMs, count } of latency.buckets) {
          const added = durations.since(`${hook} ${upToMs}`, count);
          for (let index = 0; index < added; index += 1) this.observe({ hook }, upToMs / 1000);
        }
      }
    },
  });
}

/** Growth of counters that start again at zero after a reload. */
class Growth {
  readonly #latest = new Map<string, number>();

  /**
   * Returns how much a counter grew since the last call.
   * @param key - name of the counter
   */
  since(key: string, count: number): number {
    const before = this.#latest.get(key) ?? 0;
    this.#latest.set(key, count);
    return count >= before ? count - before : count;
  }
}
