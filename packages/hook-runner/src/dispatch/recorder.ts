import { type Channel, channel } from "node:diagnostics_channel";
import type { Clock } from "@openclaw/foundation";
import type { Fields } from "../define/fields.js";
import type { DiagnosticCode, DiagnosticSink } from "../observe/diagnostic.js";
import { type JsonPatchOperation, jsonPatch } from "../observe/json-patch.js";
import type { DispatchTrace, HandlerTrace, TraceListener, TraceOptions } from "../observe/trace.js";
import type { BusyWatch } from "./busy-watch.js";
import { contextFieldsOf } from "./call-context.js";
import type { DispatchList } from "./list.js";
import { DispatchRecord, type HandlerRecord, type RecordReader } from "./record.js";
import { promiseOf } from "./thenable.js";
import { DispatchTracing } from "./tracing.js";

export interface RecorderOptions {
  /** Name of the `node:diagnostics_channel` that receives every trace. */
  readonly channel?: string | undefined;
  /** Name of a `TracingChannel` that receives the starts, ends and failures of dispatches with handlers. */
  readonly tracingChannel?: string | undefined;
  /** Returns ids of the enclosing trace, read from a dispatch's context. */
  readonly traceIds?: ((context: Fields) => Readonly<Record<string, unknown>>) | undefined;
  /** Redacts an event before it appears in a patch. */
  readonly redact?: ((event: Fields) => Fields) | undefined;
}

const NO_CHANNEL = { hasSubscribers: false, publish: () => {} };

interface Listening extends Required<TraceOptions> {
  readonly listener: TraceListener;
}

/** Decides which dispatches are recorded, and passes the records on. */
export class Recorder implements RecordReader {
  private listeners: readonly Listening[] = [];
  private readonly channel: Pick<Channel, "hasSubscribers" | "publish">;
  private readonly tracing: DispatchTracing | undefined;
  /** While it follows calls, all of them are recorded. */
  watch: Pick<BusyWatch, "follows"> | undefined = undefined;
  private lastId = 0;
  /** Number of listeners that omit empty lists. */
  private handledOnly = 0;

  constructor(
    private readonly clock: Clock,
    private readonly options: RecorderOptions,
    private readonly report: DiagnosticSink,
  ) {
    this.channel = options.channel === undefined ? NO_CHANNEL : channel(options.channel);
    this.tracing =
      options.tracingChannel === undefined
        ? undefined
        : new DispatchTracing(options.tracingChannel);
  }

  listen(
    listener: TraceListener,
    { diff = false, results = false, handledOnly = false }: TraceOptions,
  ): () => void {
    const listening: Listening = { listener, diff, results, handledOnly };
    this.hear([...this.listeners, listening]);
    return () => this.hear(this.listeners.filter((each) => each !== listening));
  }

  /** Counts a dispatch without handlers and listeners, which then is over; returns false for any other. */
  ignores({ entries, counters }: DispatchList): boolean {
    if (entries.length > 0 || this.listeners.length > this.handledOnly) return false;
    if (this.channel.hasSubscribers || this.watch?.follows === true) return false;
    counters.dispatched += 1;
    counters.ok += 1;
    return true;
  }

  /** Counts a dispatch; returns its record, usually `null`. */
  open(list: DispatchList, context: object): DispatchRecord | null {
    const { counters } = list;
    counters.dispatched += 1;
    if (counters.dispatched >= list.sampleAt) {
      list.sampled();
      // There is nothing to time in an empty list.
      if (list.entries.length > 0) return this.record(list, context);
    }
    return this.isHeard(list) || this.watch?.follows === true ? this.record(list, context) : null;
  }

  /** Like `open`, for a caller that requests the details: always returns a record. */
  openDetailed(list: DispatchList, context: object): DispatchRecord {
    list.counters.dispatched += 1;
    return this.record(list, context);
  }

  private hear(listeners: readonly Listening[]): void {
    this.listeners = listeners;
    this.handledOnly = listeners.filter(({ handledOnly }) => handledOnly).length;
  }

  patch(before: Fields, after: Fields): readonly JsonPatchOperation[] | undefined {
    if (!this.listeners.some(({ diff }) => diff)) return undefined;
    const { redact = (event) => event } = this.options;
    try {
      return jsonPatch(redact(before), redact(after));
    } catch (error) {
      // An unredacted patch must never be published.
      this.complain(
        "redactor-failed",
        "An event could not be redacted and compared; its patch was left out. Correct the redactor, " +
          "or the getter of the event that threw.",
        error,
      );
      return undefined;
    }
  }

  read(record: DispatchRecord): void {
    record.list.counters.latency.add(record.durationMs);
    for (const { ran, entry, durationMs } of record.handlers) {
      if (ran) entry.counters.latency.add(durationMs);
    }
    this.tracing?.ended(record);
    if (!this.isHeard(record.list)) return;

    const traceIds = this.traceIds(record.context);
    for (const { listener, ...options } of this.listeners) {
      if (options.handledOnly && record.list.entries.length === 0) continue;
      try {
        const returned = promiseOf(listener(traceOf(record, traceIds, options)));
        returned?.then(undefined, (error) => this.listenerFailed(error));
      } catch (error) {
        this.listenerFailed(error);
      }
    }
    if (this.channel.hasSubscribers) this.channel.publish(traceOf(record, traceIds, {}));
  }

  private record(list: DispatchList, context: object): DispatchRecord {
    this.lastId += 1;
    const fields = contextFieldsOf(context);
    const record = new DispatchRecord(this.lastId, list, fields, this.clock, this);
    if (this.tracing?.isHeard === true && list.entries.length > 0) {
      this.tracing.started(record, this.traceIds(fields));
    }
    return record;
  }

  private isHeard({ entries }: DispatchList): boolean {
    const { length } = this.listeners;
    return (
      this.channel.hasSubscribers ||
      length > this.handledOnly ||
      (entries.length > 0 && (length > 0 || this.tracing?.isHeard === true))
    );
  }

  private traceIds(context: Fields): Readonly<Record<string, unknown>> {
    try {
      return this.options.traceIds?.(context) ?? {};
    } catch (error) {
      this.complain("listener-failed", "traceIds threw; the trace has no ids. Fix it.", error);
      return {};
    }
  }

  private listenerFailed(error: unknown): void {
    this.complain("listener-failed", "A trace listener failed; the dispatch continued.", error);
  }

  private complain(code: DiagnosticCode, message: string, cause: unknown): void {
    this.report({ level: "error", code, message, cause });
  }
}

function traceOf(
  record: DispatchRecord,
  traceIds: Readonly<Record<string, unknown>>,
  options: TraceOptions,
): DispatchTrace {
  const { id, list, durationMs, outcome = "completed", error } = record;
  return {
    id,
    hook: list.hook.name,
    kind: list.hook.kind,
    generation: list.generation,
    traceIds,
    durationMs,
    outcome,
    ...(error === undefined ? {} : { error }),
    handlers: record.handlers.map((handler) => handlerTraceOf(handler, record.startedAt, options)),
  };
}

function handlerTraceOf(
  handler: HandlerRecord,
  dispatchedAt: number,
  { diff = false, results = false }: TraceOptions,
): HandlerTrace {
  const { entry, outcome, effort, durationMs, patch, result } = handler;
  const startMs = handler.startedAfter(dispatchedAt);
  return {
    ...entry.registration.identity,
    outcome,
    attempts: effort.attempts,
    queueWaitMs: effort.queueWaitMs,
    ...(startMs === undefined ? {} : { startMs }),
    durationMs,
    ...(diff && patch !== undefined ? { patch } : {}),
    ...(results && result !== undefined ? { result } : {}),
  };
}
