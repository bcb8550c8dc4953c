import { type CallProgress, executionError, NOT_CALLED, outcomeOf } from "../define/failure.js";
import type { HandlerEntry } from "../define/handler-entry.js";
import type { HookFailureCode, PluginHookExecutionError } from "../errors.js";
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
import { ParallelListeners } from "./listeners.js";
import type { DispatchRecord, HandlerRecord } from "./record.js";
import { promiseOf } from "./thenable.js";

/** Result of every dispatch that has nothing to wait for. */
export const DONE: Promise<void> = Promise.resolve();

/** A call in flight whose signal can be aborted. */
type PendingCall = CallContext | GuardedCall;

function tell(call: PendingCall, reason: unknown): void {
  if (call instanceof GuardedCall) call.abort(reason);
  else abortCall(call, reason);
}

/** The handlers that the promise of an observe dispatch waits for. */
export type ObserveWait = "all" | "fail-closed";

/**
 * One dispatch of an `observe` hook: all handlers start in order, synchronously, and run
 * concurrently (HOOK-010). It ends when each has settled or met its deadline, or when the caller
 * aborts.
 */
export class ParallelRun implements DeadlineMember, Abortable {
  /** The earliest of the calls in flight. */
  deadline = 0;
  next: DeadlineMember | null = null;
  previous: DeadlineMember | null = null;

  /** Abortable calls in flight, by position in the list. */
  private readonly waiting: (PendingCall | null)[];
  private readonly calls: (GuardedCall | null)[] = [];
  private inFlight = 0;
  /** Positions of those whose failure would fail the dispatch. */
  private closedInFlight = 0;
  private failures: Map<number, PluginHookExecutionError> | null = null;
  private aborted: PluginHookExecutionError | undefined = undefined;
  private over = false;
  private resolve: (() => void) | null = null;
  private reject: ((error: PluginHookExecutionError) => void) | null = null;
  private listeners: ParallelListeners | null = null;
  /** True when abandoned promises may still call the listeners. */
  private leftBehind = false;
  /** The deadline for 0 ms; all calls of a dispatch are armed at once. */
  private readonly armedAt: number;

  constructor(
    private readonly engine: Engine,
    private readonly list: DispatchList,
    private readonly first: HandlerEntry,
    private readonly frame: Frame,
    private readonly signal: AbortSignal | undefined,
    private readonly record: DispatchRecord | null,
    private readonly wait: ObserveWait,
  ) {
    this.waiting = new Array(list.entries.length);
    this.armedAt = engine.deadlines.deadlineIn(0);
  }

  start(): Promise<void> {
    const { engine, signal } = this;
    const launchedAll = this.launchAll();
    // A handler may abort its own dispatch, before anyone listens for that.
    if (signal?.aborted && (this.inFlight > 0 || !launchedAll)) this.stop(signal.reason);
    if (this.inFlight === 0) {
      this.conclude();
      const { error } = this;
      return error === undefined ? DONE : Promise.reject(error);
    }
    engine.deadlines.add(this);
    if (signal !== undefined) engine.aborts.add(signal, this);
    return new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
      this.settleIfReady();
    });
  }

  /** Deadlines of some calls have passed (HOOK-021). */
  expire(): void {
    const { now } = this.engine.deadlines;
    this.deadline = 0;
    this.forEachInFlight((entry, index, call) => {
      const due = this.armedAt + entry.deadlineMs;
      if (due > now) this.bringForward(due);
      else this.giveUp(entry, index, call, this.fail(entry, index, "HOOK_TIMEOUT", undefined));
    });
    this.goOn();
  }

  /** The caller's signal has aborted (HOOK-023). */
  abort(reason: unknown): void {
    this.stop(reason);
    this.goOn();
  }

  held(): readonly HeldHandler[] {
    const held: HeldHandler[] = [];
    this.forEachInFlight((entry, _index, call) => {
      held.push({ entry, state: "running", abort: (reason) => tell(call, reason) });
    });
    return held;
  }

  /** Calls the handlers in order; `false` if the dispatch was aborted before all were called. */
  private launchAll(): boolean {
    const { engine, signal } = this;
    const { entries } = this.list;
    const { running, path } = engine;
    engine.path = this.frame.path;
    let index = 0;
    let entry = entries[index];
    while (entry !== undefined && !signal?.aborted) {
      engine.running = entry;
      this.launch(entry, index);
      index += 1;
      entry = entries[index];
    }
    engine.running = running;
    engine.path = path;
    return entry === undefined;
  }

  /** Calls one handler and, if it returns a promise, waits for it. */
  private launch(entry: HandlerEntry, index: number): void {
    const note = this.noteOf(index);
    let failure: HookFailureCode = "HOOK_CONDITION";
    try {
      if (!entry.plain && isSkipped(entry, this.frame, note)) return;
      failure = "HOOK_THREW";
      entry.counters.dispatched += 1;
      note?.start();
      // Not called as a method: `this` would expose the entry.
      const { handler } = entry;
      const context = entry.guarded ? null : new CallContext(this.frame, entry);
      const value =
        context === null || note !== undefined
          ? this.slowly(entry, index, context)
          : handler(createEvent(this.frame, entry, context), context);
      const promise = value === undefined ? null : promiseOf(value);
      if (promise === null) note?.end("ok", null);
      else this.waitFor(entry, index, context ?? this.calls[index] ?? null, promise);
    } catch (error) {
      this.fail(entry, index, failure, error);
    }
  }

  /** Calls a handler that must be guarded or watched, outside the path of most calls. */
  private slowly(entry: HandlerEntry, index: number, context: CallContext | null): unknown {
    const { handler } = entry;
    const call = () =>
      context === null
        ? this.guard(entry, index)
        : handler(createEvent(this.frame, entry, context), context);
    return this.record === null ? call() : this.engine.busy.run(entry, call);
  }

  private guard(entry: HandlerEntry, index: number): Promise<void> {
    const call = new GuardedCall(this.engine, this.frame, entry);
    this.calls[index] = call;
    return call.run();
  }

  private waitFor(
    entry: HandlerEntry,
    index: number,
    call: PendingCall | null,
    promise: Promise<unknown>,
  ): void {
    this.waiting[index] = call;
    this.inFlight += 1;
    if (entry.closed || entry.closedOnTimeout) this.closedInFlight += 1;
    this.bringForward(this.armedAt + entry.deadlineMs);
    this.listeners ??= this.takeListeners();
    this.listeners.listen(promise, entry, index);
  }

  private takeListeners(): ParallelListeners {
    const listeners = this.list.spareListeners ?? new ParallelListeners();
    this.list.spareListeners = null;
    listeners.hearer = this;
    return listeners;
  }

  private bringForward(due: number): void {
    if (this.deadline === 0 || due < this.deadline) this.deadline = due;
  }

  /** A handler has answered. */
  fulfilled(entry: HandlerEntry, index: number): void {
    if (this.land(entry, index)) {
      this.noteOf(index)?.end("ok", this.calls[index] ?? null);
      this.goOn();
    } else {
      new LateSettlement(entry, this.record, this.noteOf(index)).fulfilled();
    }
  }

  /** A handler has failed. */
  rejected(entry: HandlerEntry, index: number, error: unknown): void {
    if (this.land(entry, index)) {
      this.fail(
        entry,
        index,
        error instanceof ConcurrencyLimitError ? "HOOK_SATURATED" : "HOOK_THREW",
        error,
      );
      this.goOn();
    } else {
      new LateSettlement(entry, this.record, this.noteOf(index)).rejected(error);
    }
  }

  /** Removes a call from those in flight; returns `false` if it was abandoned before. */
  private land(entry: HandlerEntry, index: number): boolean {
    if (this.waiting[index] === null) return false;
    this.waiting[index] = null;
    this.inFlight -= 1;
    if (entry.closed || entry.closedOnTimeout) this.closedInFlight -= 1;
    return true;
  }

  /** Continues without a call, and aborts its handler's signal. */
  private giveUp(entry: HandlerEntry, index: number, call: PendingCall, reason: unknown): void {
    this.land(entry, index);
    this.leftBehind = true;
    if (call instanceof GuardedCall) call.giveUp();
    // Last, because a listener of the signal may abort the whole dispatch.
    tell(call, reason);
  }

  private fail(
    entry: HandlerEntry,
    index: number,
    code: HookFailureCode,
    cause: unknown,
  ): PluginHookExecutionError {
    const call = this.calls[index] ?? null;
    const error = executionError(entry, code, cause, this.progressOf(call));
    this.noteOf(index)?.end(outcomeOf(code), call);
    this.engine.failed(entry, error);
    if (error.mode === "fail-closed") {
      this.failures ??= new Map();
      this.failures.set(index, error);
    }
    return error;
  }

  /** Aborts the calls in flight; handlers that were not called yet are never called. */
  private stop(reason: unknown): void {
    this.forEachInFlight((entry, index, pending) => {
      entry.counters.fail("HOOK_ABORTED");
      entry.hook.counters.fail("HOOK_ABORTED");
      const call = this.calls[index] ?? null;
      this.noteOf(index)?.end("aborted", call);
      this.aborted ??= executionError(entry, "HOOK_ABORTED", reason, this.progressOf(call));
      this.giveUp(entry, index, pending, reason);
    });
    this.aborted ??= executionError(this.first, "HOOK_ABORTED", reason, NOT_CALLED);
  }

  private goOn(): void {
    if (this.inFlight === 0 && !this.over) this.conclude();
    this.settleIfReady();
  }

  private conclude(): void {
    const { error, engine, signal } = this;
    this.over = true;
    const failed = this.aborted === undefined ? "failed" : "aborted";
    if (error === undefined) this.list.counters.ok += 1;
    this.record?.finish(error === undefined ? "completed" : failed, error);
    if (this.listeners !== null && !this.leftBehind) {
      this.list.spareListeners = this.listeners.release();
    }
    engine.deadlines.remove(this);
    if (signal !== undefined) engine.aborts.remove(signal, this);
  }

  private settleIfReady(): void {
    const { resolve, reject } = this;
    const left = this.wait === "all" ? this.inFlight : this.closedInFlight;
    if (left > 0 || resolve === null || reject === null) return;
    this.resolve = null;
    const { error } = this;
    if (error === undefined) resolve();
    else reject(error);
  }

  /** Returns the abort, or the first failure by order with the others attached (HOOK-031). */
  private get error(): PluginHookExecutionError | undefined {
    if (this.failures === null) return this.aborted;
    const failures = [...this.failures].sort(([a], [b]) => a - b).map(([, error]) => error);
    const [first, ...others] = this.aborted === undefined ? failures : [this.aborted, ...failures];
    if (first !== undefined) first.errors = others;
    return first;
  }

  private forEachInFlight(
    visit: (entry: HandlerEntry, index: number, call: PendingCall) => void,
  ): void {
    this.list.entries.forEach((entry, index) => {
      const call = this.waiting[index];
      if (call) visit(entry, index, call);
    });
  }

  private noteOf(index: number): HandlerRecord | undefined {
    return this.record?.handlers[index];
  }

  private progressOf(call: GuardedCall | null): CallProgress {
    return {
      attempts: call?.attempts ?? 1,
      queueWaitMs: call?.queueWaitMs ?? 0,
      durationMs: this.engine.deadlines.elapsedSinceArmed(this.armedAt, 0),
    };
  }
}
