import type { Handler } from "hono";
import type { HttpEnvironment } from "./authentication.js";

/** Metrics of a host in the text format of Prometheus (GW-031). */
export interface MetricsHost {
  /** True if no token is needed, `gateway.metrics.public`. */
  readonly isPublic: boolean;
  readonly contentType: string;
  /** Returns the current values. */
  text(): Promise<string>;
}

/**
 * Creates the route `GET /metrics`.
 * @param metrics - values, and who may read them
 */
export function metricsRoute({ contentType, text }: MetricsHost): Handler<HttpEnvironment> {
  return async (context) => context.body(await text(), 200, { "Content-Type": contentType });
}
