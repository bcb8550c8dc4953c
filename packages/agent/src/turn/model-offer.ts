import { defined } from "@openclaw/foundation";
import type { ModelRequest, ModelToolChoice } from "@openclaw/models";
import type { RunningTurn } from "../context/turn.js";
import type { ToolSet } from "../tool-call/tool-entry.js";

/**
 * Returns the tools of a turn as its model receives them.
 * @param tools - tools of the turn
 * @param toolChoice - choice of the client; `none` offers no tools
 */
export function offeredTools(
  tools: ToolSet,
  toolChoice: ModelToolChoice | undefined,
): ModelRequest["tools"] {
  if (toolChoice === "none") return [];
  return [...tools.values()].map(({ name, tool, parameters, strict }) => ({
    name,
    description: tool.description,
    parameters,
    ...defined({ strict }),
  }));
}

/**
 * Returns true if a handler may still change the reply, so that its text must not be shown early (HCR-013).
 * @param turn - the running turn
 */
export function rewritesReplies({ pin, state }: RunningTurn): boolean {
  const context = state.hookContext;
  return (
    pin.hooks.has("transform_response", context) ||
    pin.hooks.has("before_dispatch", context) ||
    pin.hooks.has("message_sending", context)
  );
}
