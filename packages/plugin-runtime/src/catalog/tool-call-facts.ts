import type { HookMap } from "@openclaw/plugin-sdk/hooks";

type ToolCallEvent = HookMap["before_tool_call"]["event"];

/** What a host reads out of the arguments of a call, for those who judge it (D28). */
export type ToolCallFacts = Pick<ToolCallEvent, "command" | "derivedPaths">;

const DERIVE = Symbol("derives the facts of a tool call");

interface DerivingEvent extends ToolCallEvent {
  [DERIVE]?: (params: Record<string, unknown>) => ToolCallFacts;
}

/**
 * An event of `before_tool_call` whose facts follow its arguments: when a handler rewrites them, the
 * handlers behind it see those of the new ones (TURN-033).
 * @param event - with the facts of its arguments
 * @param derive - reads them out of other arguments, which may be anything; when it throws, the rewrite fails
 */
export function withToolCallFacts(
  event: ToolCallEvent,
  derive: (params: Record<string, unknown>) => ToolCallFacts,
): ToolCallEvent {
  // Under a symbol of this module: what the handlers are shown has no such field.
  const deriving: DerivingEvent = { ...event, [DERIVE]: derive };
  return deriving;
}

/**
 * The fields of the event that change with its arguments. Facts that nobody can make anew are taken
 * away, so that no handler judges a call by those of another.
 * @param params - as a handler rewrote them
 * @param event - before that
 */
export function rewrittenToolCall(
  params: Record<string, unknown>,
  event: DerivingEvent,
): Readonly<Record<string, unknown>> {
  const { command, derivedPaths } = event[DERIVE]?.(params) ?? {};
  return { params, command, derivedPaths };
}
