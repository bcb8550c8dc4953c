import {
  AT_ONCE,
  type CallProgress,
  denialFor,
  executionError,
  outcomeOf,
} from "../define/failure.js";
import type { Fields } from "../define/fields.js";
import type { HandlerEntry } from "../define/handler-entry.js";
import { type Answer, Malformed, type Reading } from "../define/result.js";
import type { HookFailureCode, PluginHookExecutionError } from "../errors.js";
import type { DispatchOutcome } from "../observe/trace.js";
import type { Engine } from "./engine.js";
import type { Frame } from "./frame.js";
import type { CallEffort, DispatchRecord, HandlerRecord } from "./record.js";

/**
 * Intermediate result of a dispatch whose handlers run one after another: a left fold over their
 * results and failures, in the order they ran (HOOK-011, HOOK-016). The run itself holds it.
 */
export interface Verdict {
  readonly engine: Engine;
  readonly record: DispatchRecord | null;
  /** Frame of the next handler. */
  frame: Frame;
  /** The results so far, merged. */
  merged: Fields | undefined;
  /** Set when no further handler may run. */
  ending: DispatchOutcome | null;
  /** Set when the dispatch fails. */
  error: PluginHookExecutionError | undefined;
}

/** Processes a handler's result. */
export function takeAnswer(
  verdict: Verdict,
  entry: HandlerEntry,
  note: HandlerRecord | undefined,
  answer: Answer,
  effort: CallEffort | null,
): void {
  if (answer === undefined) {
    note?.end("no-result", effort);
    return;
  }
  const before = verdict.frame.event;
  try {
    if (answer instanceof Malformed) throw new TypeError(answer.reason);
    if (answer.note !== undefined && entry.registration.stage !== "policy") {
      throw new TypeError("only a handler of the policy stage may return a NotedResult");
    }
    fold(verdict, entry, answer);
  } catch (cause) {
    takeFailure(verdict, entry, note, "HOOK_MALFORMED", cause, { ...AT_ONCE, ...effort });
    return;
  }
  reportUnknownFields(verdict.engine, entry, answer);
  if (answer.terminal) verdict.ending = "terminal";
  if (note !== undefined) noteAnswer(verdict, entry, note, answer, effort, before);
}

/**
 * Processes a failure: it is skipped, or ends the dispatch with a denial or an error (HOOK-029,
 * HOOK-030).
 */
export function takeFailure(
  verdict: Verdict,
  entry: HandlerEntry,
  note: HandlerRecord | undefined,
  code: HookFailureCode,
  cause: unknown,
  progress: CallProgress,
): PluginHookExecutionError {
  const error = executionError(entry, code, cause, progress);
  note?.end(outcomeOf(code), progress);
  verdict.engine.failed(entry, error);
  if (error.mode === "fail-closed") {
    failClosed(verdict, entry, error);
    if (note !== undefined) verdict.record?.decided(note, error);
  }
  return error;
}

function failClosed(verdict: Verdict, entry: HandlerEntry, error: PluginHookExecutionError): void {
  try {
    const denial = denialFor(entry, error);
    // A denial overrides the results of earlier handlers.
    if (denial !== undefined) {
      verdict.merged = { ...verdict.merged, ...denial };
      verdict.ending = "denied";
      return;
    }
  } catch (fault) {
    verdict.engine.diagnose(
      entry.registration,
      "error",
      "deny-failed",
      "the hook's deny function failed, so the dispatch rejects; correct the definition",
      fault,
    );
  }
  verdict.ending = "failed";
  verdict.error = error;
}

/** Merges a result completely, or, when a function of the definition throws, not at all. */
function fold(verdict: Verdict, entry: HandlerEntry, { fields, terminal }: Reading): void {
  if (entry.hook.kind === "claim") {
    if (terminal) verdict.merged = fields;
    return;
  }
  const { owner, hook, registration } = entry;
  const info = {
    owner,
    registrationId: registration.id,
    priority: registration.options.priority,
    terminal,
  };
  const merged: Record<string, unknown> = { ...verdict.merged };
  let { event } = verdict.frame;
  for (const { field, merger, rewrite } of hook.rules) {
    const next = fields[field];
    if (next === undefined) continue;
    merged[field] = merger.fold(merged[field], next, info);
    const replaced = rewrite(merged[field], event);
    if (replaced === undefined) continue;
    // The others of its fields are derived from it.
    const names = Object.hasOwn(replaced, field) ? [field] : Object.keys(replaced);
    for (const name of names) entry.counters.rewrote(name, event[name], replaced[name]);
    event = { ...event, ...replaced };
  }
  if (Object.keys(merged).length > 0) verdict.merged = merged;
  if (event !== verdict.frame.event) verdict.frame = verdict.frame.rewritten(event);
}

function noteAnswer(
  { record, frame }: Verdict,
  entry: HandlerEntry,
  note: HandlerRecord,
  { fields, terminal, note: remark }: Reading,
  effort: CallEffort | null,
  before: Fields,
): void {
  // A claim result without `handled: true` is ignored, including its other fields.
  const counts = terminal || (entry.hook.kind !== "claim" && Object.keys(fields).length > 0);
  note.end(terminal ? "terminal" : counts ? "ok" : "no-result", effort);
  if (counts) note.result = fields;
  note.remark = remark;
  if (terminal) record?.decided(note, undefined);
  if (before !== frame.event) record?.rewrote(note, before, frame.event);
}

function reportUnknownFields(engine: Engine, entry: HandlerEntry, { unknown }: Reading): void {
  if (unknown.length === 0) return;
  engine.diagnoseOnce(
    entry.registration,
    "warn",
    "unknown-result-field",
    `its result has fields the hook does not know, which are ignored: ${unknown.join(", ")}. ` +
      "Return only the fields the hook documents",
  );
}
