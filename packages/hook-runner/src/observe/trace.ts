import type { HookKind } from "../define/definition.js";
import type { RegistrationIdentity } from "../define/registration.js";
import type { PluginHookExecutionError } from "../errors.js";
import type { JsonPatchOperation } from "./json-patch.js";

/** What became of one handler in one dispatch. */
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
 * How a dispatch ended: all handlers had their turn (`completed`), one ended it (`terminal`), a
 * failure was turned into a denial (`denied`) or into an error (`failed`), or the caller aborted it.
 */
export type DispatchOutcome = "completed" | "terminal" | "denied" | "failed" | "aborted";

export interface HandlerTrace extends RegistrationIdentity {
  readonly outcome: HandlerOutcome;
  readonly attempts: number;
  /** Time spent waiting for a slot, in ms. */
  readonly queueWaitMs: number;
  /** From the first call to the outcome, in ms, waits included. */
  readonly durationMs: number;
  /** From the event before to the event after its result; only for listeners that ask. */
  readonly patch?: readonly JsonPatchOperation[];
  /** What it returned, as far as the hook knows the fields; only for listeners that ask. */
  readonly result?: Readonly<Record<string, unknown>>;
}

/** One dispatch, from first to last (HOOK-047). */
export interface DispatchTrace {
  readonly id: number;
  readonly hook: string;
  readonly kind: HookKind;
  readonly generation: number;
  /** Ids of the surrounding trace, as the host reads them from the context. */
  readonly traceIds: Readonly<Record<string, unknown>>;
  readonly durationMs: number;
  readonly outcome: DispatchOutcome;
  readonly error?: PluginHookExecutionError;
  /** Every handler of the list, in order, run or not. */
  readonly handlers: readonly HandlerTrace[];
}

/** Told of every dispatch when it is over. What it throws is diagnosed, what it returns ignored. */
export type TraceListener = (trace: DispatchTrace) => unknown;

export interface TraceOptions {
  /** Adds a JSON Patch to each handler that rewrote the event. */
  readonly diff?: boolean;
  /** Adds to each handler what it returned. */
  readonly results?: boolean;
  /** Leaves out dispatches that no handler was registered for; they are then not recorded either. */
  readonly handledOnly?: boolean;
}
