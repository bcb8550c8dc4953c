import type { Resource } from "@opentelemetry/resources";
import type { SpanExporter } from "@opentelemetry/sdk-trace";
import { type RecordedSpan, readableSpan } from "./recorded-span.js";

type ExportResult = Parameters<Parameters<SpanExporter["export"]>[1]>[0];

/** Spans that wait for an export at most; later ones are dropped. */
const MAXIMUM_WAITING_SPANS = 2048;

const BATCH = 512;
const INTERVAL_MS = 2000;
/** Time after a failed batch in which nothing is recorded, because the collector is most likely still down. */
const PAUSE_MS = 30_000;
/** Time after its end in which the content of a span may still arrive. */
const CONTENT_PATIENCE_MS = 1000;

/** Counts of spans since the start. */
export interface ExportCounts {
  readonly exported: number;
  /** Spans that were dropped because too many waited, or because the collector was down. */
  readonly dropped: number;
  /** Spans of batches that the collector did not accept. */
  readonly failed: number;
}

/**
 * Exports spans in batches, off the path of a turn. When the collector is slow or unreachable, spans are dropped and
 * counted; nothing waits for it. After a failed batch no spans are recorded for 30 seconds, so that a host without a
 * collector does no work for it (EXT-022).
 */
export class SpanQueue {
  readonly #exporter: SpanExporter;
  readonly #resource: Resource;
  readonly #onFailure: (problem: string) => void;
  readonly #timer: NodeJS.Timeout;
  #waiting: RecordedSpan[] = [];
  #sending: Promise<void> | undefined;
  #pausedUntil = Number.NEGATIVE_INFINITY;
  #exported = 0;
  #dropped = 0;
  #failed = 0;

  /**
   * @param exporter - sends batches to the collector
   * @param resource - the service
   * @param onFailure - receives the reason of a failed batch
   */
  constructor(exporter: SpanExporter, resource: Resource, onFailure: (problem: string) => void) {
    this.#exporter = exporter;
    this.#resource = resource;
    this.#onFailure = onFailure;
    this.#timer = setInterval(() => this.#send(), INTERVAL_MS);
    this.#timer.unref();
  }

  get counts(): ExportCounts {
    return { exported: this.#exported, dropped: this.#dropped, failed: this.#failed };
  }

  /** Returns false, and counts a dropped span, while the collector is considered down. */
  accepts(): boolean {
    if (performance.now() >= this.#pausedUntil) return true;
    this.#dropped += 1;
    return false;
  }

  /**
   * Adds a span that has ended.
   * @param span - the span
   */
  add(span: RecordedSpan): void {
    if (this.#waiting.length >= MAXIMUM_WAITING_SPANS) this.#dropped += 1;
    else if (this.#waiting.push(span) === BATCH) this.#send();
  }

  /** Sends the waiting spans and closes the exporter. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#sending;
    while (this.#waiting.length > 0) await this.#export(this.#waiting.splice(0, BATCH));
    await this.#exporter.shutdown();
  }

  /** One batch is under way at a time, so that a slow collector fills the queue and not the memory. */
  #send(): void {
    if (this.#sending !== undefined) return;
    const latest = performance.now() - CONTENT_PATIENCE_MS;
    const isReady = ({ awaitsContent, endedAt = 0 }: RecordedSpan) =>
      !awaitsContent || endedAt <= latest;
    const batch: RecordedSpan[] = [];
    this.#waiting = this.#waiting.filter(
      (span) => batch.length >= BATCH || !isReady(span) || batch.push(span) === 0,
    );
    if (batch.length === 0) return;
    this.#sending = this.#export(batch).finally(() => {
      this.#sending = undefined;
      if (this.#waiting.length >= BATCH) this.#send();
    });
  }

  async #export(batch: readonly RecordedSpan[]): Promise<void> {
    const { error } = await this.#deliver(batch);
    if (error === undefined) this.#exported += batch.length;
    else {
      this.#failed += batch.length;
      this.#pausedUntil = performance.now() + PAUSE_MS;
      this.#onFailure(error.message);
    }
  }

  #deliver(batch: readonly RecordedSpan[]): Promise<ExportResult> {
    const spans = batch.map((span) => readableSpan(span, this.#resource));
    return new Promise((resolve) => this.#exporter.export(spans, resolve));
  }
}
