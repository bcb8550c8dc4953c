import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import { BoundedExport, type ExportCounts } from "./bounded-export.js";
import type { SpanDefinition } from "./span-kinds.js";
import { SpanRecorder } from "./span-recorder.js";

/** Options of {@link startExport}. */
export interface ExportOptions {
  /** URL of the collector's traces. */
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly serviceName: string;
  /** Share of the traces that are recorded, from 0 to 1. */
  readonly sampleRatio: number;
  /** Channels to record. */
  readonly definitions: readonly SpanDefinition[];
  /** Maximum time in milliseconds to send the waiting spans at the end. */
  readonly flushMs: number;
  /**
   * Called when a batch could not be sent.
   * @param problem - reason
   * @param counts - spans so far
   */
  onFailure(problem: string, counts: ExportCounts): void;
}

/**
 * Records spans and sends them to a collector over OTLP/HTTP.
 * @param options - collector, and what to record
 * @returns function that stops recording and sends the waiting spans within its time
 */
export function startExport(options: ExportOptions): () => Promise<void> {
  const { url, headers, serviceName, sampleRatio, definitions, flushMs, onFailure } = options;
  const exporter = new OTLPTraceExporter({ url, headers, timeoutMillis: flushMs });
  const sampler = new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(sampleRatio) });
  const bounded = new BoundedExport(exporter, sampler, (problem) =>
    onFailure(problem, bounded.counts),
  );
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ "service.name": serviceName }),
    sampler: bounded,
    spanProcessors: [bounded],
  });
  const recorder = new SpanRecorder(provider.getTracer("openclaw"), definitions);
  return async () => {
    recorder.close();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, flushMs);
    });
    await Promise.race([provider.shutdown().catch(() => undefined), late]);
    clearTimeout(timer);
  };
}
