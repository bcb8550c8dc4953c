import { AT_ONCE, type CallProgress, executionError, NOT_CALLED } from "../define/failure.js";
import type { Fields } from "../define/fields.js";
import type { HandlerEntry } from "../define/handler-entry.js";
import { readResult } from "../define/result.js";
import type { PluginHookExecutionError } from "../errors.js";
import type { DispatchOutcome } from "../observe/trace.js";
import type { Abortable } from "./abort-watch.js";
import { isSkipped } from "./admission.js";
import { abortCall, CallContext } from "./call-context.js";
import { createEvent } from "./call-event.js";
import type { DeadlineMember, HeldHandler } from "./deadline-list.js";
import type { Engine } from "./engine.js";
import type { Frame } from "./frame.js";
import { ConcurrencyLimitError, GuardedCall } from "./guarded-call.js";
import { LateSettlement } from "./late-settlement.js";
import type { DispatchList } from "./list.js";
import { SequentialListener } from "./listeners.js";
import type { DispatchRecord, HandlerRecord } from "./record.js";
import { promiseOf } from "./thenable.js";
import { takeAnswer, takeFailure, type Verdict } from "./verdict.js";

/**
 * One dispatch of a `rewrite`, `decide` or `claim` hook: handlers one after another (HOOK-011).
 *
 * A state machine instead of an async function: handlers that return synchronously need no promise,
 * and a handler that is abandoned is left without a race. The states:
 * - calling: inside `advance`, until a handler must be waited for
 * - waiting: for the call of `waiting`, its deadline or an abort, whichever comes first
 * - over: `ending` holds the result
 */
export class SequentialRun implements Verdict, DeadlineMember, Abortable {
  deadline = 0;
  next: DeadlineMember | null = null;
  previous: DeadlineMember | null = null;

  merged: Fields | undefined = undefined;
  ending: DispatchOutcome | null = null;
  error: PluginHookExecutionError | undefined = undefined;

  /** Position of the handler that is called or waited for. */
  private index = 0;
  private waiting: HandlerEntry | null = null;
  /** Call of the last handler, if it was called directly. */
  private context: CallContext | null = null;
  /** Set while a handler with retries or a concurrency limit is called or waited for. */
  private call: GuardedCall | null = null;
  private listener: SequentialListener | null = null;
  private resolve: ((result: Fields | undefined) => void) | null = null;
  private reject: ((error: PluginHookExecutionError) => void) | null = null;

  constructor(
    readonly engine: Engine,
    private readonly list: DispatchList,
    public frame: Frame,
    private readonly signal: AbortSignal | undefined,
    readonly record: DispatchRecord | null,
  ) {}

  /**
   * Returns the merged result itself if every handler was synchronous, otherwise a promise of it.
   */
  start(): Promise<Fields | undefined> | Fields | undefined {
    this.advance();
    if (this.ending !== null) {
      return this.error === undefined ? this.merged : Promise.reject(this.error);
    }
    this.engine.deadlines.add(this);
    if (this.signal !== undefined) this.engine.aborts.add(this.signal, this);
    return new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }

  /** The awaited handler has returned. */
  fulfilled(value: unknown): void {
    const { call } = this;
    const waiting = this.leaveWaiting();
    if (call !== null) takeAnswer(this, waiting, this.note, call.answer, call);
    else if (value !== undefined || this.record !== null) this.take(waiting, value);
    this.goOn();
  }

  /** The awaited handler has failed. */
  rejected(error: unknown): void {
    const waiting = this.leaveWaiting();
    const code = error instanceof ConcurrencyLimitError ? "HOOK_SATURATED" : "HOOK_THREW";
    const progress = this.progress(waiting);
    takeFailure(this, waiting, this.note, code, error, progress);
    this.goOn();
  }

  /** The deadline of the awaited handler has passed (HOOK-021). */
  expire(): void {
    const { waiting, note } = this;
    if (waiting === null) return;
    const progress = this.progress(waiting);
    const error = takeFailure(this, waiting, note, "HOOK_TIMEOUT", undefined, progress);
    this.giveUp(waiting, error);
    this.goOn();
  }

  /** The caller's signal has aborted (HOOK-023). While handlers are called, `advance` checks it. */
  abort(reason: unknown): void {
    if (this.waiting === null) return;
    this.abortCall(this.waiting, reason);
    this.conclude();
  }

  held(): readonly HeldHandler[] {
    const { waiting } = this;
    return this.list.entries.slice(this.index).map((entry, offset) => ({
      entry,
      state: offset === 0 && waiting !== null ? "running" : "queued",
      abort: (reason) => {
        if (offset === 0 && waiting !== null) this.tell(reason);
      },
    }));
  }

  private goOn(): void {
    this.call = null;
    this.index += 1;
    this.advance();
  }

  /**
   * Calls handlers until one must be awaited, or the dispatch is over. One long loop: every
   * dispatch takes this path, and split up it runs a fifth slower.
   */
  private advance(): void {
    const { engine, signal, record } = this;
    const { entries } = this.list;
    const { running, path } = engine;
    engine.path = this.frame.path;
    for (; this.ending === null; this.index += 1) {
      const entry = entries[this.index];
      if (entry === undefined) break;
      if (signal?.aborted) {
        this.abortBefore(entry, signal.reason);
        break;
      }
      engine.running = entry;
      if (!entry.plain && this.skips(entry)) continue;
      entry.counters.dispatched += 1;
      if (record !== null) this.note?.start();
      let promise: Promise<unknown> | null;
      try {
        // Not called as a method: `this` would expose the entry.
        const { handler } = entry;
        let value: unknown;
        if (entry.guarded || record !== null) {
          value = this.slowly(entry);
        } else {
          const context = new CallContext(this.frame, entry);
          this.context = context;
          value = handler(createEvent(this.frame, entry, context), context);
        }
        if (value === undefined && record === null) continue;
        promise = promiseOf(value);
        if (promise === null) {
          this.take(entry, value);
          continue;
        }
      } catch (error) {
        takeFailure(this, entry, this.note, "HOOK_THREW", error, AT_ONCE);
        continue;
      }
      this.wait(entry, promise);
      // A handler may abort its own dispatch, before anyone listens for that.
      if (signal?.aborted) this.abortCall(entry, signal.reason);
      break;
    }
    engine.running = running;
    engine.path = path;
    if (this.waiting === null) this.conclude();
  }

  private skips(entry: HandlerEntry): boolean {
    try {
      return isSkipped(entry, this.frame, this.note);
    } catch (error) {
      takeFailure(this, entry, this.note, "HOOK_CONDITION", error, NOT_CALLED);
      return true;
    }
  }

  /** Calls a handler that must be guarded or watched, outside the path of most calls. */
  private slowly(entry: HandlerEntry): unknown {
    if (this.record === null) return this.guard(entry);
    const call = () => (entry.guarded ? this.guard(entry) : this.callDirectly(entry));
    return this.engine.busy.run(entry, call);
  }

  private callDirectly(entry: HandlerEntry): unknown {
    const { handler } = entry;
    const context = new CallContext(this.frame, entry);
    this.context = context;
    return handler(createEvent(this.frame, entry, context), context);
  }

  private guard(entry: HandlerEntry): Promise<void> {
    this.call = new GuardedCall(this.engine, this.frame, entry);
    return this.call.run();
  }

  private wait(entry: HandlerEntry, promise: Promise<unknown>): void {
    this.waiting = entry;
    this.deadline = this.engine.deadlines.deadlineIn(entry.deadlineMs);
    this.listener ??= this.takeListener();
    promise.then(this.listener.onValue, this.listener.onError);
  }

  private takeListener(): SequentialListener {
    const listener = this.list.spareListener ?? new SequentialListener();
    this.list.spareListener = null;
    listener.hearer = this;
    return listener;
  }

  private leaveWaiting(): HandlerEntry {
    // The listener is called only for the awaited handler.
    const waiting = this.waiting as HandlerEntry;
    this.waiting = null;
    return waiting;
  }

  private take(entry: HandlerEntry, value: unknown): void {
    try {
      const answer = readResult(entry.hook, entry.closed, value);
      takeAnswer(this, entry, this.note, answer, null);
    } catch (error) {
      takeFailure(this, entry, this.note, "HOOK_THREW", error, AT_ONCE);
    }
  }

  /** Abandons the awaited handler, and aborts its signal. */
  private giveUp(entry: HandlerEntry, reason: unknown): void {
    const { listener, call } = this;
    listener?.leaveTo(new LateSettlement(entry, this.record, this.note));
    this.listener = null;
    this.waiting = null;
    call?.giveUp();
    this.tell(reason);
  }

  /** Aborts the signal of the awaited call. */
  private tell(reason: unknown): void {
    if (this.call !== null) this.call.abort(reason);
    else if (this.context !== null) abortCall(this.context, reason);
  }

  private abortBefore(entry: HandlerEntry, reason: unknown): void {
    this.ending = "aborted";
    this.error = executionError(entry, "HOOK_ABORTED", reason, NOT_CALLED);
  }

  private abortCall(entry: HandlerEntry, reason: unknown): void {
    entry.counters.fail("HOOK_ABORTED");
    entry.hook.counters.fail("HOOK_ABORTED");
    this.note?.end("aborted", this.call);
    this.ending = "aborted";
    this.error = executionError(entry, "HOOK_ABORTED", reason, this.progress(entry));
    this.giveUp(entry, reason);
  }

  private conclude(): void {
    const { engine, error, signal, record } = this;
    const ending = this.ending ?? "completed";
    this.ending = ending;
    if (ending === "completed" || ending === "terminal") this.list.counters.ok += 1;
    if (record !== null) record.finish(ending, error);
    if (this.resolve === null || this.reject === null) return; // Still inside `start`.
    if (this.listener !== null) this.list.spareListener = this.listener.release();
    engine.deadlines.remove(this);
    if (signal !== undefined) engine.aborts.remove(signal, this);
    if (error === undefined) this.resolve(this.merged);
    else this.reject(error);
  }

  private get note(): HandlerRecord | undefined {
    return this.record?.handlers[this.index];
  }

  private progress(entry: HandlerEntry): CallProgress {
    return {
      attempts: this.call?.attempts ?? 1,
      queueWaitMs: this.call?.queueWaitMs ?? 0,
      durationMs: this.engine.deadlines.elapsedSinceArmed(this.deadline, entry.deadlineMs),
    };
  }
}
