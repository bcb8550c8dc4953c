import { type Channel, channel } from "node:diagnostics_channel";
import type { Clock } from "./clock.js";
import type { DiagnosticCode, DiagnosticSink } from "./diagnostic.js";
import type { DispatchList } from "./dispatch-list.js";
import { DispatchRecord, type HandlerRecord, type RecordReader } from "./dispatch-record.js";
import type { Fields } from "./fields.js";
import { type JsonPatchOperation, jsonPatch } from "./json-patch.js";
import { isThenable } from "./thenable.js";
import type { DispatchTrace, HandlerTrace, TraceListener, TraceOptions } from "./trace.js";

export interface RecorderOptions {
  /** Name of the `node:diagnostics_channel` that gets every trace. */
  readonly channel?: string | undefined;
  /** Ids of the surrounding trace, read from a dispatch's context. */
  readonly traceIds?: ((context: Fields) => Readonly<Record<string, unknown>>) | undefined;
  /** Takes out of an event what must not appear in a patch. */
  readonly redact?: ((event: Fields) => Fields) | undefined;
}

interface Listening {
  readonly listener: TraceListener;
  readonly diff: boolean;
}

/** Decides which dispatches are recorded, and passes the records on. */
export class Recorder implements RecordReader {
  private listening: readonly Listening[] = [];
  private readonly channel: Channel | undefined;
  private lastId = 0;

  constructor(
    private readonly clock: Clock,
    private readonly options: RecorderOptions,
    private readonly report: DiagnosticSink,
  ) {
    this.channel = options.channel === undefined ? undefined : channel(options.channel);
  }

  listen(listener: TraceListener, { diff = false }: TraceOptions): () => void {
    const listening: Listening = { listener, diff };
    this.listening = [...this.listening, listening];
    return () => {
      this.listening = this.listening.filter((each) => each !== listening);
    };
  }

  /** Counts a dispatch; returns its record, which for the most part is `null`. */
  open(list: DispatchList, context: Fields): DispatchRecord | null {
    const { counters } = list.hook;
    counters.dispatched += 1;
    return list.isSample(counters.dispatched) || this.isListening
      ? this.record(list, context)
      : null;
  }

  /** As `open`, for a caller who wants the details: there always is a record. */
  openDetailed(list: DispatchList, context: Fields): DispatchRecord {
    list.hook.counters.dispatched += 1;
    return this.record(list, context);
  }

  patch(before: Fields, after: Fields): readonly JsonPatchOperation[] | undefined {
    if (!this.listening.some(({ diff }) => diff)) return undefined;
    const { redact } = this.options;
    if (redact === undefined) return jsonPatch(before, after);
    try {
      return jsonPatch(redact(before), redact(after));
    } catch (error) {
      // No patch at all rather than one that was not redacted.
      this.complain(
        "redactor-failed",
        "The redactor threw; the patch was left out. Fix it.",
        error,
      );
      return undefined;
    }
  }

  read(record: DispatchRecord): void {
    record.list.hook.counters.latency.add(record.durationMs);
    for (const { ran, entry, durationMs } of record.handlers) {
      if (ran) entry.counters.latency.add(durationMs);
    }
    if (!this.isListening) return;

    const traceIds = this.traceIds(record.context);
    for (const { listener, diff } of this.listening) {
      try {
        const returned = listener(traceOf(record, traceIds, diff));
        if (isThenable(returned)) returned.then(undefined, (error) => this.listenerFailed(error));
      } catch (error) {
        this.listenerFailed(error);
      }
    }
    if (this.channel?.hasSubscribers) this.channel.publish(traceOf(record, traceIds, false));
  }

  private record(list: DispatchList, context: Fields): DispatchRecord {
    this.lastId += 1;
    return new DispatchRecord(this.lastId, list, context, this.clock, this);
  }

  private get isListening(): boolean {
    return this.listening.length > 0 || this.channel?.hasSubscribers === true;
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
    this.complain("listener-failed", "A trace listener failed; the dispatch went on.", error);
  }

  private complain(code: DiagnosticCode, message: string, cause: unknown): void {
    this.report({ level: "error", code, message, cause });
  }
}

function traceOf(
  record: DispatchRecord,
  traceIds: Readonly<Record<string, unknown>>,
  diff: boolean,
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
    handlers: record.handlers.map((handler) => handlerTraceOf(handler, diff)),
  };
}

function handlerTraceOf(handler: HandlerRecord, diff: boolean): HandlerTrace {
  const { entry, outcome, effort, durationMs, patch } = handler;
  return {
    ...entry.registration.identity,
    outcome,
    attempts: effort.attempts,
    queueWaitMs: effort.queueWaitMs,
    durationMs,
    ...(diff && patch !== undefined ? { patch } : {}),
  };
}
