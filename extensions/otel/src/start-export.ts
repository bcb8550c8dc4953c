import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { type ExportCounts, SpanQueue } from "./span-queue.js";
import { type RecorderOptions, SpanRecorder } from "./span-recorder.js";

/** Options of {@link startExport}. */
export interface ExportOptions extends RecorderOptions {
  /** URL of the collector's traces. */
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly serviceName: string;
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
  const { url, headers, serviceName, flushMs, onFailure } = options;
  const exporter = new OTLPTraceExporter({ url, headers, timeoutMillis: flushMs });
  const resource = resourceFromAttributes({ "service.name": serviceName });
  const queue = new SpanQueue(exporter, resource, (problem) => onFailure(problem, queue.counts));
  const recorder = new SpanRecorder(queue, options);
  return async () => {
    recorder.close();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, flushMs);
    });
    await Promise.race([queue.close().catch(() => undefined), late]);
    clearTimeout(timer);
  };
}
