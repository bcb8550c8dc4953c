import { isSkipped } from "./admission.js";
import { CallContext } from "./call-context.js";
import type { DispatchList } from "./dispatch-list.js";
import type { DispatchRecord, HandlerRecord } from "./dispatch-record.js";
import type { Engine } from "./engine.js";
import type { HookFailureCode } from "./errors.js";
import type { Fields } from "./fields.js";
import type { Frame } from "./frame.js";
import type { HandlerEntry } from "./handler-entry.js";
import { readResult } from "./result.js";
import { isThenable, whenSettled } from "./thenable.js";
import { Verdict } from "./verdict.js";

/** A sync handler that takes longer is reported; it cannot be interrupted (HOOK-027). */
const SLOW_MS = 50;

/**
 * One dispatch of a `sync` hook, from first to last handler, without ever waiting (HOOK-014).
 *
 * @throws PluginHookExecutionError when a handler fails closed and the hook has no denial
 */
export function runSync(
  engine: Engine,
  list: DispatchList,
  frame: Frame,
  record: DispatchRecord | null,
): Fields | undefined {
  const verdict = new Verdict(engine, frame, record);
  const { entries } = list;
  const outer = engine.active;
  let index = 0;
  let entry = entries[index];
  while (entry !== undefined && verdict.ending === null) {
    runHandler(engine, verdict, entry, record?.handlers[index]);
    index += 1;
    entry = entries[index];
  }
  engine.active = outer;
  const ending = verdict.ending ?? "completed";
  if (ending === "completed" || ending === "terminal") list.hook.counters.ok += 1;
  if (record !== null) {
    record.finish(ending, verdict.error);
    reportSlowHandlers(engine, record);
  }
  if (verdict.error !== undefined) throw verdict.error;
  return verdict.merged;
}

function runHandler(
  engine: Engine,
  verdict: Verdict,
  entry: HandlerEntry,
  note: HandlerRecord | undefined,
): void {
  const context = new CallContext(verdict.frame, entry);
  let failure: HookFailureCode = "HOOK_CONDITION";
  try {
    if (!entry.plain && isSkipped(engine, entry, context, note)) return;
    failure = "HOOK_THREW";
    entry.counters.dispatched += 1;
    note?.start();
    let value = engine.call(entry.handler, context);
    if (value === undefined && note === undefined) return;
    if (isThenable(value)) {
      dropPromise(engine, entry, value);
      value = undefined;
    }
    verdict.take(entry, note, readResult(entry.hook, entry.closed, value), null);
  } catch (error) {
    verdict.fail(entry, note, failure, error, {
      attempts: failure === "HOOK_THREW" ? 1 : 0,
      durationMs: 0,
    });
  }
}

function dropPromise(engine: Engine, entry: HandlerEntry, promise: PromiseLike<unknown>): void {
  engine.diagnoseOnce(
    entry.registration,
    "error",
    "sync-returned-promise",
    "its handler returned a promise, which a sync hook cannot wait for, so it is ignored. Make the handler synchronous",
  );
  whenSettled(
    promise,
    () => {},
    (error) =>
      engine.diagnose(
        entry.registration,
        "warn",
        "handler-failed",
        "the promise its handler must not return was rejected",
        error,
      ),
  );
}

/** Only recorded dispatches are timed: the first ones of every list, then a sample. */
function reportSlowHandlers(engine: Engine, record: DispatchRecord): void {
  for (const { entry, durationMs } of record.handlers) {
    if (durationMs <= SLOW_MS) continue;
    record.list.watchClosely();
    engine.diagnose(
      entry.registration,
      "warn",
      "slow-sync-handler",
      `its handler blocked the process for ${Math.round(durationMs)} ms. Do the work in an observe hook, or do less of it`,
    );
  }
}
