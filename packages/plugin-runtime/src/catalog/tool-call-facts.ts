import type { HookMap } from "@openclaw/plugin-sdk/hooks";

type ToolCallEvent = HookMap["before_tool_call"]["event"];

/**
 * Facts that a host derives from the arguments of a call for the handlers that evaluate it (D28).
 */
export type ToolCallFacts = Pick<ToolCallEvent, "command" | "derivedPaths">;

const DERIVE = Symbol("derives the facts of a tool call");

interface DerivingEvent extends ToolCallEvent {
  [DERIVE]?: (params: Record<string, unknown>) => ToolCallFacts;
}

/**
 * Creates an event of `before_tool_call` whose facts follow its arguments: after a handler rewrites
 * them, later handlers see the facts of the new arguments (TURN-033).
 * @param event - with the facts of its arguments
 * @param derive - derives the facts from other arguments, which may be any value; if it throws, the
 *   rewrite fails
 */
export function withToolCallFacts(
  event: ToolCallEvent,
  derive: (params: Record<string, unknown>) => ToolCallFacts,
): ToolCallEvent {
  // Stored under a symbol of this module, so that handlers do not see it.
  const deriving: DerivingEvent = { ...event, [DERIVE]: derive };
  return deriving;
}

/**
 * Returns the fields of the event that change with its arguments. Facts that cannot be derived
 * again are removed, so that no handler evaluates a call by the facts of another.
 * @param params - as a handler rewrote them
 * @param event - the event before the rewrite
 */
export function rewrittenToolCall(
  params: Record<string, unknown>,
  event: DerivingEvent,
): Readonly<Record<string, unknown>> {
  const { command, derivedPaths } = event[DERIVE]?.(params) ?? {};
  return { params, command, derivedPaths };
}
