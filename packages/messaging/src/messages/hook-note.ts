import { defined } from "@openclaw/foundation";
import type { DispatchTrace, HandlerTrace } from "@openclaw/hook-runner";
import type { RunHookHandler, RunHookNote } from "@openclaw/protocol";
import { redactLogText } from "@openclaw/safety";

/** Characters of one value that are kept. */
const MAXIMUM_VALUE = 200;
const MAXIMUM_TEXT = 2000;
const MAXIMUM_ITEMS = 10;
const MAXIMUM_DEPTH = 4;
const MAXIMUM_CHANGES = 20;

/**
 * What is kept of a dispatch: who ran for how long, what they said, and what they changed, in short and
 * without secrets.
 * @param trace - as the hook engine tells it, when the dispatch is over
 * @param endedAt - that moment, in milliseconds since the epoch
 */
export function hookNote(trace: DispatchTrace, endedAt: number): RunHookNote {
  const { hook, kind, durationMs, outcome, error, traceIds, handlers } = trace;
  return defined({
    hook,
    kind,
    spanId: String(traceIds.spanId),
    at: rounded(endedAt - durationMs),
    durationMs: rounded(durationMs),
    outcome,
    error: error && { code: error.code, message: brief(error.message) },
    handlers: handlers.map(handlerNote),
  });
}

/**
 * The same without anything that a person or a plugin said (TURN-024).
 * @param note - what is kept of a dispatch
 */
export function withoutWords({ error, handlers, ...note }: RunHookNote): RunHookNote {
  return {
    ...note,
    ...defined({ error: error && { code: error.code, message: "withheld" } }),
    handlers: handlers.map(({ result: _result, patch: _patch, ...handler }) => handler),
  };
}

function handlerNote(handler: HandlerTrace): RunHookHandler {
  const { owner, label, stage, outcome, attempts, queueWaitMs, durationMs } = handler;
  const patch = (handler.patch ?? []).slice(0, MAXIMUM_CHANGES).map((change) =>
    defined({
      op: change.op,
      path: change.path,
      value: "value" in change ? brief(change.value) : undefined,
    }),
  );
  // What the patch shows already is not said twice.
  const patched = new Set(patch.map(({ path }) => path.split("/")[1]));
  const said = Object.entries(handler.result ?? {}).filter(([field]) => !patched.has(field));
  const result = Object.fromEntries(said.map(([field, value]) => [field, brief(value)]));
  return defined({
    pluginId: owner,
    label,
    stage: stage === "policy" ? stage : undefined,
    outcome,
    durationMs: rounded(durationMs),
    attempts: attempts > 1 ? attempts : undefined,
    queueWaitMs: queueWaitMs > 0 ? rounded(queueWaitMs) : undefined,
    result: said.length === 0 ? undefined : result,
    patch: patch.length === 0 ? undefined : patch,
  });
}

/** A value as a short text. It is cut after the secrets are taken out, so that none is cut in two. */
function brief(value: unknown): string {
  const pruned = prune(value, 0);
  const text = typeof pruned === "string" ? pruned : JSON.stringify(pruned);
  const safe = redactLogText(text ?? String(value));
  return safe.length > MAXIMUM_VALUE ? `${safe.slice(0, MAXIMUM_VALUE - 1)}…` : safe;
}

/** Of a large value only as much as may be shown; a conversation need not be written out for that. */
function prune(value: unknown, depth: number): unknown {
  if (typeof value === "string") return value.slice(0, MAXIMUM_TEXT);
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
