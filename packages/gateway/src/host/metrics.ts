import type { EventHub, EventStreams, SocketServer } from "@openclaw/server";
import type { Store } from "@openclaw/store";
import type { GatewayMetrics } from "../metrics/metrics.js";
import type { Host } from "./running-host.js";

/** Parts of a host that metrics read. */
export interface MetricsParts {
  readonly host: Pick<Host, "plugins" | "services" | "queueDepth">;
  readonly store: Pick<Store, "decisions">;
  readonly hub: Pick<EventHub, "dropped">;
  /** Clients that receive events. */
  readonly clients: () => { readonly sockets: SocketServer; readonly streams: EventStreams };
}

/**
 * Starts counting the metrics of a host.
 * @param parts - parts that metrics read
 */
export async function openMetrics({
  host,
  store,
  hub,
  clients,
}: MetricsParts): Promise<GatewayMetrics> {
  // Loaded only by a host that serves them.
  const { GatewayMetrics } = await import("../metrics/metrics.js");
  return new GatewayMetrics({
    hookCounts: () => host.plugins.inspection.counters(),
    counters: () => host.services.counters.values(),
    queueDepth: () => host.queueDepth,
    pendingApprovals: async () =>
      (await store.decisions.approvals.list({ state: "pending" })).length,
    connections: () => clients().sockets.size + clients().streams.size,
    droppedEvents: () => hub.dropped,
  });
}
