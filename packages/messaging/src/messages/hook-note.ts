import { defined, startOfText } from "@openclaw/foundation";
import type { DispatchTrace, HandlerTrace } from "@openclaw/hook-runner";
import type { RunHookHandler, RunHookNote } from "@openclaw/protocol";
import { type RuleSet, redactLogText } from "@openclaw/safety";

/** Maximum number of characters recorded of one value. */
const MAXIMUM_VALUE = 200;
const MAXIMUM_TEXT = 2000;
const MAXIMUM_ITEMS = 10;
const MAXIMUM_DEPTH = 4;
const MAXIMUM_CHANGES = 20;

/**
 * Summarises a hook dispatch: its handlers with their durations, results and changes, shortened and without
 * secrets.
 * @param trace - trace of a finished dispatch from the hook engine
 * @param endedAt - end of the dispatch in milliseconds since the epoch
 * @param rules - rules in force; default the built-in ones
 */
export function hookNote(trace: DispatchTrace, endedAt: number, rules?: RuleSet): RunHookNote {
  const { hook, kind, durationMs, outcome, error, traceIds, handlers } = trace;
  const at = endedAt - durationMs;
  return defined({
    hook,
    kind,
    spanId: String(traceIds.spanId),
    at: rounded(at),
    durationMs: rounded(durationMs),
    outcome,
    error: error && { code: error.code, message: brief(error.message, rules) },
    handlers: handlers.map((handler) => handlerNote(handler, at, rules)),
  });
}

/**
 * Removes everything that a person or a plugin wrote from a note (TURN-024).
 * @param note - note of a dispatch
 */
export function withoutContent({ error, handlers, ...note }: RunHookNote): RunHookNote {
  return {
    ...note,
    ...defined({ error: error && { code: error.code, message: "withheld" } }),
    handlers: handlers.map(({ result: _result, patch: _patch, ...handler }) => handler),
  };
}

function handlerNote(
  handler: HandlerTrace,
  dispatchedAt: number,
  rules: RuleSet | undefined,
): RunHookHandler {
  const { owner, label, stage, priority, outcome, attempts, queueWaitMs, startMs } = handler;
  const patch = (handler.patch ?? []).slice(0, MAXIMUM_CHANGES).map((change) =>
    defined({
      op: change.op,
      path: change.path,
      value: "value" in change ? brief(change.value, rules) : undefined,
    }),
  );
  // Fields that the patch covers are not repeated in the result.
  const patched = new Set(patch.map(({ path }) => path.split("/")[1]));
  const said = Object.entries(handler.result ?? {}).filter(([field]) => !patched.has(field));
  const result = Object.fromEntries(said.map(([field, value]) => [field, brief(value, rules)]));
  return defined({
    pluginId: owner,
    label,
    stage: stage === "policy" ? stage : undefined,
    priority: priority === 0 ? undefined : priority,
    outcome,
    at: startMs === undefined ? undefined : rounded(dispatchedAt + startMs),
    durationMs: rounded(handler.durationMs),
    attempts: attempts > 1 ? attempts : undefined,
    queueWaitMs: queueWaitMs > 0 ? rounded(queueWaitMs) : undefined,
    result: said.length === 0 ? undefined : result,
    patch: patch.length === 0 ? undefined : patch,
  });
}

/** Returns a value as a short text. Secrets are removed before it is cut, so that none is cut in half. */
function brief(value: unknown, rules: RuleSet | undefined): string {
  const pruned = prune(value, 0);
  const text = typeof pruned === "string" ? pruned : JSON.stringify(pruned);
  const safe = redactLogText(text ?? String(value), { rules });
  return safe.length > MAXIMUM_VALUE ? `${startOfText(safe, MAXIMUM_VALUE - 1)}…` : safe;
}

/** Limits the size of a value, so that a large one such as a conversation need not be serialised in full. */
function prune(value: unknown, depth: number): unknown {
  if (typeof value === "string") return startOfText(value, MAXIMUM_TEXT);
  if (typeof value !== "object" || value === null) {
    return typeof value === "function" || typeof value === "bigint" ? String(value) : value;
  }
  if (depth === MAXIMUM_DEPTH) return "…";
  if (Array.isArray(value)) {
    return value.slice(0, MAXIMUM_ITEMS).map((item) => prune(item, depth + 1));
  }
  const entries = Object.entries(value).slice(0, MAXIMUM_ITEMS);
  return Object.fromEntries(entries.map(([key, item]) => [key, prune(item, depth + 1)]));
}

function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 1000) / 1000;
}
