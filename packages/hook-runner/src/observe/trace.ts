import type { HookKind } from "../define/definition.js";
import type { RegistrationIdentity } from "../define/registration.js";
import type { PluginHookExecutionError } from "../errors.js";
import type { JsonPatchOperation } from "./json-patch.js";

/** Outcome of one handler in one dispatch. */
export type HandlerOutcome =
  | "ok"
  | "no-result"
  | "terminal"
  | "skipped-scope"
  | "skipped-condition"
  | "not-run"
  | "threw"
  | "timeout"
  | "malformed"
  | "saturated"
  | "aborted"
  | "late";

/**
 * Outcome of a dispatch: all handlers ran (`completed`), one ended it (`terminal`), a failure was
 * turned into a denial (`denied`) or into an error (`failed`), or the caller aborted it.
 */
export type DispatchOutcome = "completed" | "terminal" | "denied" | "failed" | "aborted";

export interface HandlerTrace extends RegistrationIdentity {
  readonly outcome: HandlerOutcome;
  readonly attempts: number;
  /** Time spent waiting for a slot, in ms. */
  readonly queueWaitMs: number;
  /** Time from the start of the dispatch to the first call, in ms; absent when the handler was not called. */
  readonly startMs?: number;
  /** Time from the first call to the outcome, in ms, including waits. */
  readonly durationMs: number;
  /**
   * Patch from the event before to the event after its result; only for listeners that request it.
   */
  readonly patch?: readonly JsonPatchOperation[];
  /** Its result, limited to the fields that the hook knows; only for listeners that request it. */
  readonly result?: Readonly<Record<string, unknown>>;
}

/** Trace of one dispatch (HOOK-047). */
export interface DispatchTrace {
  readonly id: number;
  readonly hook: string;
  readonly kind: HookKind;
  readonly generation: number;
  /** Ids of the enclosing trace, as the host reads them from the context. */
  readonly traceIds: Readonly<Record<string, unknown>>;
  readonly durationMs: number;
  readonly outcome: DispatchOutcome;
  readonly error?: PluginHookExecutionError;
  /** Every handler of the list, in order, called or not. */
  readonly handlers: readonly HandlerTrace[];
}

/** Called at the end of every dispatch. Its errors are diagnosed, its return value is ignored. */
export type TraceListener = (trace: DispatchTrace) => unknown;

export interface TraceOptions {
  /** Adds a JSON Patch to each handler that rewrote the event. */
  readonly diff?: boolean;
  /** Adds each handler's result. */
  readonly results?: boolean;
  /** Omits dispatches without registered handlers; they are then not recorded either. */
  readonly handledOnly?: boolean;
}
