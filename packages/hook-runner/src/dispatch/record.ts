import type { Clock } from "@openclaw/foundation";
import type { Fields } from "../define/fields.js";
import type { HandlerEntry } from "../define/handler-entry.js";
import type { PluginHookExecutionError } from "../errors.js";
import type { JsonPatchOperation } from "../observe/json-patch.js";
import type { DispatchOutcome, HandlerOutcome } from "../observe/trace.js";
import type { DispatchList } from "./list.js";

/** Number of attempts and waiting time of a guarded call. */
export interface CallEffort {
  readonly attempts: number;
  readonly queueWaitMs: number;
}

const NONE: CallEffort = { attempts: 0, queueWaitMs: 0 };
const ONE_ATTEMPT: CallEffort = { attempts: 1, queueWaitMs: 0 };

/** Record of one handler in one dispatch. */
export class HandlerRecord {
  outcome: HandlerOutcome = "not-run";
  effort = NONE;
  durationMs = 0;
  /** Its result, limited to the fields that the hook knows. */
  result: Fields | undefined;
  /** The note of its `NotedResult`. */
  remark: unknown;
  patch: readonly JsonPatchOperation[] | undefined;
  private startedAt: number | undefined;

  constructor(
    readonly entry: HandlerEntry,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns the time of the first call after a start, in ms; undefined when the handler was not called.
   * @param start - start of the dispatch
   */
  startedAfter(start: number): number | undefined {
    return this.startedAt === undefined ? undefined : this.startedAt - start;
  }

  /** True when the handler was called. */
  get ran(): boolean {
    return this.startedAt !== undefined;
  }

  start(): void {
    this.startedAt = this.clock.now();
    this.effort = ONE_ATTEMPT;
  }

  end(outcome: HandlerOutcome, effort: CallEffort | null): void {
    this.outcome = outcome;
    this.effort = effort ?? this.effort;
    if (this.startedAt !== undefined) this.durationMs = this.clock.now() - this.startedAt;
  }

  skip(outcome: "skipped-scope" | "skipped-condition"): void {
    this.outcome = outcome;
  }
}

/** Receives a record when its dispatch ends. */
export interface RecordReader {
  read(record: DispatchRecord): void;
  /** Returns the patch for a rewritten event, if a listener needs it. */
  patch(before: Fields, after: Fields): readonly JsonPatchOperation[] | undefined;
}

/**
 * Record of one dispatch while it runs. Most dispatches have none: one is created for a listener,
 * for a caller that requests the details, and for a sample of the latency histograms.
 */
export class DispatchRecord {
  readonly handlers: readonly HandlerRecord[];
  /** `undefined` while the dispatch is in flight. */
  outcome: DispatchOutcome | undefined;
  /** The failure that ended it, also when it caused a denial. */
  error: PluginHookExecutionError | undefined;
  /** The handler that ended it, by its result or by its failure. */
  decidedBy: HandlerRecord | undefined;
  durationMs = 0;
  readonly startedAt: number;

  constructor(
    readonly id: number,
    readonly list: DispatchList,
    readonly context: Fields,
    private readonly clock: Clock,
    private readonly reader: RecordReader,
  ) {
    this.handlers = list.entries.map((entry) => new HandlerRecord(entry, clock));
    this.startedAt = clock.now();
  }

  decided(handler: HandlerRecord, error: PluginHookExecutionError | undefined): void {
    this.decidedBy = handler;
    this.error = error;
  }

  rewrote(handler: HandlerRecord, before: Fields, after: Fields): void {
    handler.patch = this.reader.patch(before, after);
  }

  /** Records that an abandoned handler has settled while the dispatch is in flight. */
  settledLate(handler: HandlerRecord): void {
    if (this.outcome === undefined) handler.outcome = "late";
  }

  finish(outcome: DispatchOutcome, error: PluginHookExecutionError | undefined): void {
    this.outcome = outcome;
    this.error ??= error;
    this.durationMs = this.clock.now() - this.startedAt;
    this.reader.read(this);
  }
}
