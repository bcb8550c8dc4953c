import type { HandlerEntry } from "../define/handler-entry.js";
import { type CallContext, frameOf } from "./call-context.js";
import { CallEvent } from "./call-event.js";
import type { HandlerRecord } from "./record.js";
import { ignore, promiseOf } from "./thenable.js";

/**
 * Whether the dispatch is not for this handler: by its scope, then its condition (HOOK-033,
 * HOOK-035). A skipped call is counted and noted.
 *
 * @throws what the condition throws; also when it answers with a promise, which would always be true
 */
export function isSkipped(
  entry: HandlerEntry,
  context: CallContext,
  note: HandlerRecord | undefined,
): boolean {
  const { event, context: fields } = frameOf(context);
  if (entry.scope !== null && !entry.scope.matches(event, fields)) {
    note?.skip("skipped-scope");
  } else if (entry.condition !== null && !holds(entry.condition(new CallEvent(context), context))) {
    note?.skip("skipped-condition");
  } else {
    return false;
  }
  entry.counters.skipped += 1;
  entry.hook.counters.skipped += 1;
  return true;
}

function holds(verdict: unknown): boolean {
  const promise = promiseOf(verdict);
  if (promise === null) return Boolean(verdict);
  ignore(promise);
  throw new TypeError("a condition must answer synchronously, got a promise");
}
