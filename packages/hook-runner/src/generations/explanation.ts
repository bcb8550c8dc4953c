import type { HookKind } from "../define/definition.js";
import type { Fields } from "../define/fields.js";
import type { DeadlineLevel, HandlerEntry } from "../define/handler-entry.js";
import type { RegistrationIdentity } from "../define/registration.js";
import type { DispatchList } from "../dispatch/list.js";
import type { FailureMode } from "../errors.js";

/** One handler of a hook, and its treatment in a dispatch. */
export type ExplainedHandler = RegistrationIdentity &
  (
    | {
        readonly runs: true;
        readonly mode: FailureMode;
        readonly onTimeout: FailureMode;
        /** The deadline of one call in ms, and its source; absent for `sync` hooks. */
        readonly deadlineMs?: number;
        readonly deadlineFrom?: DeadlineLevel;
        /** True when a condition may still skip it, depending on the event. */
        readonly conditional: boolean;
      }
    | { readonly runs: false; readonly reason: string }
  );

/** Result that a dispatch would have (HOOK-051). */
export interface HookExplanation {
  readonly hook: string;
  readonly kind: HookKind;
  readonly generation: number;
  /** In call order; handlers disabled by the host's gate are last. */
  readonly handlers: readonly ExplainedHandler[];
}

export function explain(list: DispatchList, event: Fields, context: Fields): HookExplanation {
  return {
    hook: list.hook.name,
    kind: list.hook.kind,
    generation: list.generation,
    handlers: [
      ...list.entries.map((entry) => explainEntry(entry, event, context)),
      ...list.inactive.map(({ registration, reason }) => ({
        ...registration.identity,
        runs: false as const,
        reason,
      })),
    ],
  };
}

function explainEntry(entry: HandlerEntry, event: Fields, context: Fields): ExplainedHandler {
  const { identity } = entry.registration;
  const mismatch = entry.scope?.mismatch(event, context);
  if (mismatch !== undefined) {
    return { ...identity, runs: false, reason: `scope.${mismatch} does not match` };
  }
  return {
    ...identity,
    runs: true,
    mode: entry.closed ? "fail-closed" : "fail-open",
    onTimeout: entry.closedOnTimeout ? "fail-closed" : "fail-open",
    ...(entry.hook.kind === "sync"
      ? {}
      : { deadlineMs: entry.deadlineMs, deadlineFrom: entry.deadlineLevel }),
    conditional: entry.condition !== null,
  };
}
