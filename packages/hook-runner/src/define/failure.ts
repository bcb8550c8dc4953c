import { type HookFailureCode, PluginHookExecutionError } from "../errors.js";
import type { HandlerOutcome } from "../observe/trace.js";
import type { Fields } from "./fields.js";
import type { HandlerEntry } from "./handler-entry.js";
import { Reading, readResult } from "./result.js";

/** Progress of a call when it failed. */
export interface CallProgress {
  readonly attempts: number;
  /** Time spent waiting for a slot, in ms. */
  readonly queueWaitMs: number;
  readonly durationMs: number;
}

/** Progress of a handler that failed before it was awaited. */
export const AT_ONCE: CallProgress = { attempts: 1, queueWaitMs: 0, durationMs: 0 };
export const NOT_CALLED: CallProgress = { attempts: 0, queueWaitMs: 0, durationMs: 0 };

export function executionError(
  entry: HandlerEntry,
  code: HookFailureCode,
  cause: unknown,
  progress: CallProgress,
): PluginHookExecutionError {
  const { registration } = entry;
  return new PluginHookExecutionError({
    code,
    pluginId: entry.owner,
    hookName: entry.hook.name,
    registrationId: registration.id,
    mode: failsClosed(entry, code) ? "fail-closed" : "fail-open",
    attempts: progress.attempts,
    timeoutMs: entry.deadlineMs > 0 ? entry.deadlineMs : undefined,
    durationMs: progress.durationMs,
    detail: detailOf(entry, code),
    cause,
  });
}

const OUTCOMES: Record<HookFailureCode, HandlerOutcome> = {
  HOOK_THREW: "threw",
  HOOK_TIMEOUT: "timeout",
  HOOK_MALFORMED: "malformed",
  HOOK_SATURATED: "saturated",
  HOOK_CONDITION: "threw",
  HOOK_ABORTED: "aborted",
};

/** Returns the trace entry of a failed call. */
export function outcomeOf(code: HookFailureCode): HandlerOutcome {
  return OUTCOMES[code];
}

/** Returns true when this kind of failure of this registration fails the dispatch (HOOK-028). */
function failsClosed(entry: HandlerEntry, code: HookFailureCode): boolean {
  return code === "HOOK_TIMEOUT" ? entry.closedOnTimeout : entry.closed;
}

/**
 * Returns the denying result for a failed handler, if the hook has one (HOOK-030).
 *
 * @throws when `deny` throws or returns a result that does not deny
 */
export function denialFor(
  entry: HandlerEntry,
  { code }: PluginHookExecutionError,
): Fields | undefined {
  const { hook } = entry;
  if (hook.deny === undefined) return undefined;
  const denial = readResult(
    hook,
    true,
    hook.deny({
      code,
      owner: entry.owner,
      hook: hook.name,
      registrationId: entry.registration.id,
      reason: `plugin "${entry.owner}" failed on hook "${hook.name}": ${detailOf(entry, code)}`,
      ...(code === "HOOK_TIMEOUT" ? { timeoutMs: entry.deadlineMs } : {}),
    }),
  );
  if (denial instanceof Reading) {
    const denies = hook.terminals.length === 0 || denial.terminal;
    if (denies && Object.keys(denial.fields).length > 0) return denial.fields;
  }
  throw new TypeError(`deny of hook "${hook.name}" returned a result that does not deny`);
}

function detailOf(entry: HandlerEntry, code: HookFailureCode): string {
  switch (code) {
    case "HOOK_THREW":
      return "its handler threw an error";
    case "HOOK_TIMEOUT":
      return `its handler did not answer within ${entry.deadlineMs} ms`;
    case "HOOK_MALFORMED":
      return "its handler returned an invalid result";
    case "HOOK_SATURATED":
      return "all its slots are held by calls past their deadline";
    case "HOOK_CONDITION":
      return "its condition threw an error or returned a promise";
    case "HOOK_ABORTED":
      return "the dispatch was aborted";
  }
}
