import type { Abortable } from "./abort-watch.js";
import { isSkipped } from "./admission.js";
import { abortCall, CallContext, entryOf } from "./call-context.js";
import type { DeadlineMember, HeldHandler } from "./deadline-list.js";
import type { DispatchList } from "./dispatch-list.js";
import type { DispatchRecord, HandlerRecord } from "./dispatch-record.js";
import type { Engine } from "./engine.js";
import type { PluginHookExecutionError } from "./errors.js";
import type { CallProgress } from "./failure.js";
import type { Fields } from "./fields.js";
import type { Frame } from "./frame.js";
import { GuardedCall, Saturated } from "./guarded-call.js";
import type { HandlerEntry } from "./handler-entry.js";
import { LateSettlement } from "./late-settlement.js";
import { readResult } from "./result.js";
import { isThenable, whenSettled } from "./thenable.js";
import { Verdict } from "./verdict.js";

interface Settle {
  readonly resolve: (result: Fields | undefined) => void;
  readonly reject: (error: PluginHookExecutionError) => void;
}

/** Of a handler that failed before anything was waited for. */
const AT_ONCE: CallProgress = { attempts: 1, durationMs: 0 };
const NOT_CALLED: CallProgress = { attempts: 0, durationMs: 0 };

/**
 * One dispatch of a `rewrite`, `decide` or `claim` hook: handlers one after another (HOOK-011).
 *
 * A state machine instead of an async function: handlers that answer at once then cost no promise,
 * and a handler that is given up is left behind without racing it. The states:
 * - running: inside `runHandlers`, which calls handlers until one must be waited for
 * - waiting: for the handler of `context`, its deadline or an abort, whichever comes first
 * - over: the verdict has an ending
 */
export class SequentialRun implements DeadlineMember, Abortable {
  deadline = 0;
  next: DeadlineMember | null = null;
  previous: DeadlineMember | null = null;

  private index = 0;
  private context: CallContext | null = null;
  private call: GuardedCall | null = null;
  private listener: Listener | null = null;
  private settle: Settle | null = null;
  private readonly verdict: Verdict;

  constructor(
    private readonly engine: Engine,
    private readonly list: DispatchList,
    frame: Frame,
    private readonly signal: AbortSignal | undefined,
    private readonly record: DispatchRecord | null,
  ) {
    this.verdict = new Verdict(engine, frame, record);
  }

  /** The merged result itself if no handler had to be waited for, else a promise of it. */
  start(): Promise<Fields | undefined> | Fields | undefined {
    this.runHandlers();
    const { ending, error, merged } = this.verdict;
    if (ending !== null) return error === undefined ? merged : Promise.reject(error);
    this.engine.deadlines.add(this);
    if (this.signal !== undefined) this.engine.aborts.add(this.signal, this);
    return new Promise((resolve, reject) => {
      this.settle = { resolve, reject };
    });
  }

  /** The handler that was waited for has answered. */
  fulfilled(value: unknown, context: CallContext): void {
    const { call, note } = this;
    const entry = entryOf(context);
    this.stopWaiting();
    try {
      const answer = call === null ? readResult(entry.hook, entry.closed, value) : call.answer;
      this.verdict.take(entry, note, answer, call);
    } catch (error) {
      this.verdict.fail(entry, note, "HOOK_THREW", error, AT_ONCE);
    }
    this.goOn();
  }

  /** The handler that was waited for has failed. */
  rejected(error: unknown, context: CallContext): void {
    const entry = entryOf(context);
    const code = error instanceof Saturated ? "HOOK_SATURATED" : "HOOK_THREW";
    const progress = this.progressOf(entry);
    this.stopWaiting();
    this.verdict.fail(entry, this.note, code, error, progress);
    this.goOn();
  }

  /** The deadline of the handler that is waited for has passed (HOOK-021). */
  expire(): void {
    const { context } = this;
    if (context === null) return;
    const entry = entryOf(context);
    const progress = this.progressOf(entry);
    const error = this.verdict.fail(entry, this.note, "HOOK_TIMEOUT", undefined, progress);
    this.giveUp(context, error);
    this.goOn();
  }

  /** The caller's signal has aborted (HOOK-023). While a handler runs, `runHandlers` sees to it. */
  abort(reason: unknown): void {
    const { context } = this;
    if (context === null) return;
    this.abortAt(entryOf(context), reason, context);
    this.conclude();
  }

  held(): readonly HeldHandler[] {
    return this.list.entries.slice(this.index).map((entry, offset) => ({
      entry,
      state: offset === 0 && this.context !== null ? "running" : "queued",
      abort: (reason) => {
        if (offset === 0 && this.context !== null) this.tell(this.context, this.call, reason);
      },
    }));
  }

  private goOn(): void {
    this.index += 1;
    this.runHandlers();
  }

  /** Runs handlers until one must be waited for, or the dispatch is over. */
  private runHandlers(): void {
    const { engine } = this;
    const outer = engine.active;
    const waits = this.callUntilWaiting();
    engine.active = outer;
    if (!waits) this.conclude();
  }

  private callUntilWaiting(): boolean {
    const { verdict, signal } = this;
    const { entries } = this.list;
    let entry = entries[this.index];
    while (entry !== undefined && verdict.ending === null) {
      if (signal?.aborted) {
        verdict.abort(entry, signal.reason, NOT_CALLED);
        return false;
      }
      const context = new CallContext(verdict.frame, entry);
      if (this.mustWait(entry, context)) {
        if (!signal?.aborted) return true;
        // The handler aborted its own dispatch, before anyone listened for that.
        this.abortAt(entry, signal.reason, context);
        return false;
      }
      this.index += 1;
      entry = entries[this.index];
    }
    return false;
  }

  /** Calls one handler; `false` when there is nothing to wait for. */
  private mustWait(entry: HandlerEntry, context: CallContext): boolean {
    const note = this.record === null ? undefined : this.record.handlers[this.index];
    if (!entry.plain && this.skips(entry, context, note)) return false;
    entry.counters.dispatched += 1;
    note?.start();
    try {
      const value = entry.guarded ? this.guard(entry) : this.engine.call(entry.handler, context);
      if (value === undefined && note === undefined) return false;
      if (isThenable(value)) {
        this.wait(entry, context, value);
        return true;
      }
      this.verdict.take(entry, note, readResult(entry.hook, entry.closed, value), null);
    } catch (error) {
      this.verdict.fail(entry, note, "HOOK_THREW", error, AT_ONCE);
    }
    return false;
  }

  private skips(
    entry: HandlerEntry,
    context: CallContext,
    note: HandlerRecord | undefined,
  ): boolean {
    try {
      return isSkipped(this.engine, entry, context, note);
    } catch (error) {
      this.verdict.fail(entry, note, "HOOK_CONDITION", error, NOT_CALLED);
      return true;
    }
  }

  private guard(entry: HandlerEntry): Promise<void> {
    this.call = new GuardedCall(this.engine, this.verdict.frame, entry);
    return this.call.run();
  }

  private wait(entry: HandlerEntry, context: CallContext, value: PromiseLike<unknown>): void {
    this.context = context;
    this.deadline = this.engine.deadlines.deadlineIn(entry.deadlineMs);
    this.listener ??= new Listener(this, context);
    this.listener.context = context;
    whenSettled(value, this.listener.onValue, this.listener.onError);
  }

  private stopWaiting(): void {
    this.context = null;
    this.call = null;
  }

  /** Leaves the handler that is waited for behind, and tells it by its signal. */
  private giveUp(context: CallContext, reason: unknown): void {
    const { call, listener } = this;
    if (listener !== null)
      listener.hears = new LateSettlement(entryOf(context), this.record, this.note);
    this.listener = null;
    this.stopWaiting();
    call?.giveUp();
    this.tell(context, call, reason);
  }

  /** Aborts the signal of a call. */
  private tell(context: CallContext, call: GuardedCall | null, reason: unknown): void {
    if (call === null) abortCall(context, reason);
    else call.abort(reason);
  }

  private abortAt(entry: HandlerEntry, reason: unknown, context: CallContext): void {
    entry.counters.fail("HOOK_ABORTED");
    entry.hook.counters.fail("HOOK_ABORTED");
    this.note?.end("aborted", this.call);
    this.verdict.abort(entry, reason, this.progressOf(entry));
    this.giveUp(context, reason);
  }

  private conclude(): void {
    const { verdict, settle, engine } = this;
    verdict.ending ??= "completed";
    const { ending } = verdict;
    if (ending === "completed" || ending === "terminal") this.list.hook.counters.ok += 1;
    this.record?.finish(ending, verdict.error);
    if (settle === null) return; // Still inside `start`.
    engine.deadlines.remove(this);
    if (this.signal !== undefined) engine.aborts.remove(this.signal, this);
    if (verdict.error === undefined) settle.resolve(verdict.merged);
    else settle.reject(verdict.error);
  }

  private get note(): HandlerRecord | undefined {
    return this.record?.handlers[this.index];
  }

  private progressOf(entry: HandlerEntry): CallProgress {
    const { deadlines } = this.engine;
    return {
      attempts: this.call?.attempts ?? 1,
      durationMs: deadlines.elapsedSinceArmed(this.deadline, entry.deadlineMs),
    };
  }
}

/**
 * The callbacks a run hands to promises; one pair serves all its handlers. When a handler is given
 * up, the pair stays with it and the run makes a new one, so the run hears nothing of it any more.
 */
class Listener {
  constructor(
    public hears: Pick<SequentialRun, "fulfilled" | "rejected">,
    public context: CallContext,
  ) {}

  readonly onValue = (value: unknown): void => this.hears.fulfilled(value, this.context);
  readonly onError = (error: unknown): void => this.hears.rejected(error, this.context);
}
