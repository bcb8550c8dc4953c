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
 * All hooks of the host: kind, event, context and result by name. Open to declaration merging, so that a host can
 * add hooks (SDK-012).
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
 * Execution of a hook's handlers. `observe`: concurrently, without a result. `rewrite`: sequentially, results are
 * merged. `decide`: like `rewrite`, and one result can be final. `claim`: sequentially, until a handler handles the
 * event. `sync`: like `rewrite`, synchronously (D3).
 */
export type HookKind = "observe" | "rewrite" | "decide" | "claim" | "sync";

/** Name of a hook in the catalog. */
export type HookName = keyof HookMap & string;

/** Names of the hooks of one kind. */
export type HooksOfKind<Kind extends HookKind> = {
  [Name in HookName]: HookMap[Name]["kind"] extends Kind ? Name : never;
}[HookName];

/**
 * Context of a handler of the hook, also available as `event.context`. Each handler gets its own plain object, whose
 * `logger` and `signal` are not enumerable.
 */
export type HookContext<Name extends HookName> = HookMap[Name]["context"] & HandlerContext;

/**
 * Event of a handler of the hook. Each handler gets its own plain object, which can be spread, serialised, cloned and
 * compared; `context` is not enumerable. Read-only, because a change has no effect unless it is returned.
 */
export type HookEvent<Name extends HookName> = DeepReadonly<HookMap[Name]["event"]> & {
  readonly context: HookContext<Name>;
};

/** Result of a handler of the hook; `undefined` where the hook takes no result. */
export type HookResult<Name extends HookName> = HookMap[Name]["result"];
