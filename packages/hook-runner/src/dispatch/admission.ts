import type { HandlerEntry } from "../define/handler-entry.js";
import type { AnyHandler } from "../define/registration.js";
import { CallContext } from "./call-context.js";
import { createEvent } from "./call-event.js";
import type { Frame } from "./frame.js";
import type { HandlerRecord } from "./record.js";
import { ignore, promiseOf } from "./thenable.js";

/**
 * Returns true when the handler must be skipped: by its scope, then its condition (HOOK-033,
 * HOOK-035). A skipped call is counted and recorded.
 *
 * @throws the condition's error; also when it returns a promise, which would always be truthy
 */
export function isSkipped(
  entry: HandlerEntry,
  frame: Frame,
  note: HandlerRecord | undefined,
): boolean {
  if (entry.scope !== null && !entry.scope.matches(frame.event, frame.context)) {
    note?.skip("skipped-scope");
  } else if (entry.condition !== null && !holds(askCondition(entry.condition, entry, frame))) {
    note?.skip("skipped-condition");
  } else {
    return false;
  }
  entry.counters.skipped += 1;
  entry.hook.counters.skipped += 1;
  return true;
}

/** A condition gets its own event and context, so the handler does not see its changes. */
function askCondition(condition: AnyHandler, entry: HandlerEntry, frame: Frame): unknown {
  const context = new CallContext(frame, entry);
  return condition(createEvent(frame, entry, context), context);
}

function holds(verdict: unknown): boolean {
  const promise = promiseOf(verdict);
  if (promise === null) return Boolean(verdict);
  ignore(promise);
  throw new TypeError("a condition must answer synchronously, got a promise");
}
