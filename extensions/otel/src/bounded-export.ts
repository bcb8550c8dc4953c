import {
  BatchSpanProcessor,
  type Sampler,
  SamplingDecision,
  type SpanExporter,
  type SpanProcessor,
} from "@opentelemetry/sdk-trace";

type ExportedSpans = Parameters<SpanExporter["export"]>[0];
type ExportCallback = Parameters<SpanExporter["export"]>[1];

/** Spans that wait for an export at most; later ones are dropped. */
const MAXIMUM_WAITING_SPANS = 2048;

const BATCH = 512;
const INTERVAL_MS = 2000;
const EXPORT_TIMEOUT_MS = 5000;
/** Time after a failed batch in which nothing is recorded, because the collector is most likely still down. */
const PAUSE_MS = 30_000;

/** Counts of spans since the start. */
export interface ExportCounts {
  readonly exported: number;
  /** Spans that were dropped because too many waited, or because the collector was down. */
  readonly dropped: number;
  /** Spans of batches that the collector did not accept. */
  readonly failed: number;
}

/**
 * Exports spans in batches, off the path of a turn. When the collector is slow or unreachable, spans are dropped
 * and counted; nothing waits for it. After a failed batch no spans are recorded for 30 seconds, so that a host without a
 * collector does no work for it (EXT-022).
 */
export class BoundedExport implements SpanProcessor, Sampler {
  readonly #batches: BatchSpanProcessor;
  readonly #onFailure: (problem: string) => void;
  readonly #sampler: Sampler;
  #pausedUntil = Number.NEGATIVE_INFINITY;
  #waiting = 0;
  #exported = 0;
  #dropped = 0;
  #failed = 0;

  /**
   * @param exporter - sends batches to the collector
   * @param sampler - decides which spans are recorded while the collector responds
   * @param onFailure - receives the reason of a failed batch
   */
  constructor(exporter: SpanExporter, sampler: Sampler, onFailure: (problem: string) => void) {
    this.#sampler = sampler;
    this.#onFailure = onFailure;
    this.#batches = new BatchSpanProcessor({
      exporter: {
        export: (spans, done) => this.#export(exporter, spans, done),
        shutdown: () => exporter.shutdown(),
      },
      maxQueueSize: MAXIMUM_WAITING_SPANS,
      maxExportBatchSize: BATCH,
      scheduledDelayMillis: INTERVAL_MS,
      exportTimeoutMillis: EXPORT_TIMEOUT_MS,
    });
  }

  get counts(): ExportCounts {
    return { exported: this.#exported, dropped: this.#dropped, failed: this.#failed };
  }

  shouldSample(...args: Parameters<Sampler["shouldSample"]>): ReturnType<Sampler["shouldSample"]> {
    if (performance.now() >= this.#pausedUntil) return this.#sampler.shouldSample(...args);
    this.#dropped += 1;
    return { decision: SamplingDecision.NOT_RECORD };
  }

  onStart(...args: Parameters<SpanProcessor["onStart"]>): void {
    this.#batches.onStart(...args);
  }

  onEnd(span: Parameters<SpanProcessor["onEnd"]>[0]): void {
    if (this.#waiting >= MAXIMUM_WAITING_SPANS) {
      this.#dropped += 1;
      return;
    }
    this.#waiting += 1;
    this.#batches.onEnd(span);
  }

  forceFlush(): Promise<void> {
    return this.#batches.forceFlush();
  }

  shutdown(): Promise<void> {
    return this.#batches.shutdown();
  }

  #export(exporter: SpanExporter, spans: ExportedSpans, done: ExportCallback): void {
    exporter.export(spans, (result) => {
      this.#waiting -= spans.length;
      if (result.error === undefined) this.#exported += spans.length;
      else {
        this.#failed += spans.length;
        this.#pausedUntil = performance.now() + PAUSE_MS;
        this.#onFailure(result.error.message);
      }
      done(result);
    });
  }
}
