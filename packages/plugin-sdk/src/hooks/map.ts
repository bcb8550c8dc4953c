import type { DeepReadonly } from "../schema/json.js";
import type { HandlerContext } from "./context.js";
import type { LifecycleHooks } from "./lifecycle.js";
import type { MessageHooks } from "./message.js";
import type { RecallHooks } from "./recall.js";
import type { SessionHooks } from "./session.js";
import type { SubagentHooks } from "./subagent.js";
import type { ToolHooks } from "./tool.js";
import type { TurnHooks } from "./turn.js";

/**
 * Every hook of the host: name to kind, event, context and result. Open to declaration merging, so
 * that a host may add hooks of its own (SDK-012).
 */
export interface HookMap
  extends LifecycleHooks,
    SessionHooks,
    MessageHooks,
    TurnHooks,
    RecallHooks,
    ToolHooks,
    SubagentHooks {}

/**
 * How a hook's handlers run: `observe` concurrently and without a result, `rewrite` one after another
 * with results merged, `decide` like rewrite with a result that ends the matter, `claim` one after
 * another until one handles, `sync` like rewrite but synchronously (D3).
 */
export type HookKind = "observe" | "rewrite" | "decide" | "claim" | "sync";

/** Name of a catalogued hook. */
export type HookName = keyof HookMap & string;

/** Names of the hooks of one kind. */
export type HooksOfKind<Kind extends HookKind> = {
  [Name in HookName]: HookMap[Name]["kind"] extends Kind ? Name : never;
}[HookName];

/**
 * Context of a handler of the hook; also found at `event.context`. A plain object of the handler's own,
 * whose `logger` and `signal` are not enumerable.
 */
export type HookContext<Name extends HookName> = HookMap[Name]["context"] & HandlerContext;

/**
 * Event of a handler of the hook: a plain object of the handler's own, which can be spread, serialised,
 * cloned and compared; `context` is not enumerable. Read only, as a change has no effect unless returned.
 */
export type HookEvent<Name extends HookName> = DeepReadonly<HookMap[Name]["event"]> & {
  readonly context: HookContext<Name>;
};

/** What a handler of the hook may return; `undefined` where the hook takes no result. */
export type HookResult<Name extends HookName> = HookMap[Name]["result"];
