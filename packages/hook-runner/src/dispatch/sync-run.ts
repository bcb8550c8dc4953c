import { AT_ONCE, NOT_CALLED } from "../define/failure.js";
import type { Fields } from "../define/fields.js";
import type { HandlerEntry } from "../define/handler-entry.js";
import { readResult } from "../define/result.js";
import type { PluginHookExecutionError } from "../errors.js";
import type { DispatchOutcome } from "../observe/trace.js";
import { isSkipped } from "./admission.js";
import { CallContext } from "./call-context.js";
import { createEvent } from "./call-event.js";
import type { Engine } from "./engine.js";
import type { Frame } from "./frame.js";
import type { DispatchList } from "./list.js";
import type { DispatchRecord, HandlerRecord } from "./record.js";
import { promiseOf } from "./thenable.js";
import { takeAnswer, takeFailure, type Verdict } from "./verdict.js";

/** A sync handler that takes longer is reported; it cannot be interrupted (HOOK-027). */
const SLOW_MS = 50;

/** One dispatch of a `sync` hook: handlers one after another, without ever waiting (HOOK-014). */
export class SyncRun implements Verdict {
  merged: Fields | undefined = undefined;
  ending: DispatchOutcome | null = null;
  error: PluginHookExecutionError | undefined = undefined;

  constructor(
    readonly engine: Engine,
    private readonly list: DispatchList,
    public frame: Frame,
    readonly record: DispatchRecord | null,
  ) {}

  /** @throws PluginHookExecutionError when a handler fails closed and the hook has no denial */
  run(): Fields | undefined {
    const { engine, record } = this;
    const { entries, counters } = this.list;
    const { running, path } = engine;
    engine.path = this.frame.path;
    for (let index = 0; this.ending === null; index += 1) {
      const entry = entries[index];
      if (entry === undefined) break;
      engine.running = entry;
      const note = record === null ? undefined : record.handlers[index];
      if (!entry.plain && this.skips(entry, note)) continue;
      entry.counters.dispatched += 1;
      note?.start();
      let value: unknown;
      try {
        // Not called as a method: `this` would expose the entry.
        const { handler } = entry;
        const context = new CallContext(this.frame, entry);
        value = handler(createEvent(this.frame, entry, context), context);
      } catch (error) {
        takeFailure(this, entry, note, "HOOK_THREW", error, AT_ONCE);
        continue;
      }
      if (value !== undefined || note !== undefined) this.take(entry, note, value);
    }
    engine.running = running;
    engine.path = path;

    const ending = this.ending ?? "completed";
    if (ending === "completed" || ending === "terminal") counters.ok += 1;
    if (record !== null) {
      record.finish(ending, this.error);
      reportSlowHandlers(engine, record);
    }
    if (this.error !== undefined) throw this.error;
    return this.merged;
  }

  private skips(entry: HandlerEntry, note: HandlerRecord | undefined): boolean {
    try {
      return isSkipped(entry, this.frame, note);
    } catch (error) {
      takeFailure(this, entry, note, "HOOK_CONDITION", error, NOT_CALLED);
      return true;
    }
  }

  private take(entry: HandlerEntry, note: HandlerRecord | undefined, value: unknown): void {
    try {
      const promise = promiseOf(value);
      if (promise !== null) dropPromise(this.engine, entry, promise);
      const result = promise === null ? value : undefined;
      takeAnswer(this, entry, note, readResult(entry.hook, entry.closed, result), null);
    } catch (error) {
      takeFailure(this, entry, note, "HOOK_THREW", error, AT_ONCE);
    }
  }
}

function dropPromise(engine: Engine, entry: HandlerEntry, promise: Promise<unknown>): void {
  const { registration } = entry;
  engine.diagnoseOnce(
    registration,
    "error",
    "sync-returned-promise",
    "its handler returned a promise, which a sync hook cannot wait for, so it is ignored. " +
      "Make the handler synchronous",
  );
  promise.then(undefined, (error) => {
    const what = "the promise its handler must not return was rejected";
    engine.diagnose(registration, "warn", "handler-failed", what, error);
  });
}

/**
 * Timing each handler would take longer than most of them do, so only sampled dispatches are timed:
 * the first ones of a list, some now and then, and many once the event loop was seen blocked.
 */
function reportSlowHandlers(engine: Engine, record: DispatchRecord): void {
  for (const { entry, durationMs } of record.handlers) {
    if (durationMs <= SLOW_MS) continue;
    record.list.watchClosely();
    engine.diagnose(
      entry.registration,
      "warn",
      "slow-sync-handler",
      `its handler blocked the process for ${Math.round(durationMs)} ms. ` +
        "Do the work in an observe hook, or do less of it",
    );
  }
}
