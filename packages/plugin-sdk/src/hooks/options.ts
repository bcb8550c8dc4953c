import type { HookContext, HookEvent, HookName } from "./map.js";

/** Effect of a failing handler: `fail-open` logs and skips it, `fail-closed` applies the hook's denial. */
export type HookFailureMode = "fail-open" | "fail-closed";

/** Limits the events that a handler receives; all listed dimensions must match, `*` is a wildcard (HOOK-035). */
export interface HookScope {
  channels?: readonly string[];
  agentIds?: readonly string[];
  toolNames?: readonly string[];
}

/** Shows a reply as a handler will change it, while the model writes it (HCR-026). */
export interface ReplyPreview {
  /**
   * Adds text of the model.
   * @param delta - next part of the reply
   * @returns text that can be shown, whatever follows: the handler will not change it any more; empty to wait
   */
  push(delta: string): string;
  /** Ends the reply, and returns the rest of it. */
  flush(): string;
}

/** Options of a handler (HOOK-004). */
export interface HookOptions<Name extends HookName = HookName> {
  /** Priority; handlers with a higher number run first; default 0. */
  priority?: number;
  /** Deadline in milliseconds, 1 to 600 000. */
  timeoutMs?: number;
  /** Failure mode; default is the hook's default. */
  mode?: HookFailureMode;
  /** Failure mode for a missed deadline; default is `mode`. */
  onTimeout?: HookFailureMode;
  /** Retries of a handler that threw: `count` 0 to 5; the wait `backoffMs` doubles each time. */
  retry?: { count: number; backoffMs?: number };
  /** Maximum number of concurrent calls of this handler, over all dispatches. */
  maxConcurrency?: number;
  scope?: HookScope;
  /** Synchronous predicate; a falsy result skips the handler. */
  condition?(event: HookEvent<Name>, context: HookContext<Name>): boolean;
  /** Text shown in traces. */
  id?: string;
  /** Text shown in traces. */
  name?: string;
  /**
   * Lets a reply be shown while the model writes it although the handler may change it; for `transform_response`,
   * `before_dispatch` and `message_sending` (HCR-026). Called for each text of a reply; the strings that it returns must be
   * the beginning of the result of the handler for the complete text.
   * @param context - conversation of the reply, as far as it is known
   * @returns undefined when the handler must see the complete reply first
   */
  preview?(context: Partial<HookContext<Name>>): ReplyPreview | undefined;
}
