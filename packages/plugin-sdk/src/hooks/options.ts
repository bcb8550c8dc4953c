import type { HookContext, HookEvent, HookName } from "./map.js";

/** What becomes of a handler that fails: skipped and logged, or its hook's denial. */
export type HookFailureMode = "fail-open" | "fail-closed";

/** Narrows when a handler runs; listed dimensions must all match, `*` is a wildcard (HOOK-035). */
export interface HookScope {
  channels?: readonly string[];
  agentIds?: readonly string[];
  toolNames?: readonly string[];
}

/** How a handler is run (HOOK-004). */
export interface HookOptions<Name extends HookName = HookName> {
  /** Higher runs first; default 0. */
  priority?: number;
  /** Deadline in milliseconds, 1 to 600 000. */
  timeoutMs?: number;
  /** What a failure means; the hook's own default when absent. */
  mode?: HookFailureMode;
  /** What a missed deadline means; `mode` when absent. */
  onTimeout?: HookFailureMode;
  /** Repeats a handler that threw: `count` 0 to 5, wait `backoffMs` doubling each time. */
  retry?: { count: number; backoffMs?: number };
  /** Calls of this handler in flight at once, over all dispatches. */
  maxConcurrency?: number;
  scope?: HookScope;
  /** Synchronous; a falsy answer skips the handler. */
  condition?(event: HookEvent<Name>, context: HookContext<Name>): boolean;
  /** Shown in traces. */
  id?: string;
  /** Shown in traces. */
  name?: string;
}
