import type { RunnerCounts } from "@openclaw/hook-runner";
import { Counter, collectDefaultMetrics, Gauge, Registry } from "prom-client";
import { hookMetrics } from "./hook-metrics.js";
import { traceMetrics } from "./traced-metrics.js";

/** Values of a host at the time of a scrape. */
export interface MetricSources {
  /** Returns the counters of hooks. */
  hookCounts(): RunnerCounts;
  /** Returns the counters of the host, by name. */
  counters(): Readonly<Record<string, number>>;
  /** Returns the number of turns that run or wait. */
  queueDepth(): number;
  /** Returns the number of pending approval requests. */
  pendingApprovals(): Promise<number>;
  /** Returns the number of open connections that receive events. */
  connections(): number;
  /** Returns the number of events that slow clients did not receive. */
  droppedEvents(): number;
}

/** Metrics of a host in the text format of Prometheus (GW-050). */
export class GatewayMetrics {
  readonly #registry = new Registry();
  readonly #stop: () => void;

  /**
   * Starts counting. The tracing channels are those of the process, so that two hosts in one process count
   * the turns of both.
   * @param sources - values that are read at a scrape
   */
  constructor(sources: MetricSources) {
    const registers = [this.#registry];
    collectDefaultMetrics({ register: this.#registry });
    this.#stop = traceMetrics(this.#registry);
    hookMetrics(this.#registry, () => sources.hookCounts());
    gauge("openclaw_queue_depth", "Turns that run or wait.", () => sources.queueDepth());
    gauge("openclaw_approvals_pending", "Approval requests that wait for a decision.", () =>
      sources.pendingApprovals(),
    );
    gauge("openclaw_connections", "Open connections that receive events.", () =>
      sources.connections(),
    );
    counter("openclaw_events_dropped_total", "Events that slow clients did not receive.", () =>
      sources.droppedEvents(),
    );
    for (const [name, help] of HOST_COUNTERS) {
      counter(`openclaw_${name}`, help, () => sources.counters()[name] ?? 0);
    }

    function gauge(name: string, help: string, read: () => number | Promise<number>): void {
      new Gauge({
        name,
        help,
        registers,
        async collect() {
          this.set(await read());
        },
      });
    }

    function counter(name: string, help: string, read: () => number): void {
      new Counter({
        name,
        help,
        registers,
        collect() {
          this.reset();
          this.inc(read());
        },
      });
    }
  }

  /** Content type of {@link GatewayMetrics.text}. */
  get contentType(): string {
    return this.#registry.contentType;
  }

  /** Returns the current values in the text format of Prometheus. */
  text(): Promise<string> {
    return this.#registry.metrics();
  }

  /** Stops counting. */
  close(): void {
    this.#stop();
    this.#registry.clear();
  }
}

/** Counters of the host that a scrape shows, with their meaning. */
const HOST_COUNTERS = [
  ["inbound_duplicates_total", "Messages that had been accepted before."],
  ["late_tool_results_total", "Results of tools that arrived after their deadline."],
  ["finalize_retry_exhausted_total", "Replies that plugins revised more often than allowed."],
] as const;
