import type { AgentMessage } from "@openclaw/plugin-sdk/tools";

/** Name of the core tool that loads deferred definitions (TURN-067). */
export const TOOL_SEARCH = "tool_search";

/** Details of a result of `tool_search`: the names of the tools that it loaded. */
export interface LoadedTools {
  readonly loaded: readonly string[];
}

/**
 * Returns the names of the tools that a conversation has loaded, in the order in which it first loaded them. The
 * conversation is their only record: a resumed or replayed turn, and a later turn of the session, offers the same tools, and
 * what compaction removes is loaded again when it is needed.
 * @param conversation - messages that the model receives
 */
export function loadedTools(conversation: readonly AgentMessage[]): readonly string[] {
  const names = new Set<string>();
  for (const message of conversation) {
    if (message.role !== "toolResult" || message.toolName !== TOOL_SEARCH || message.isError)
      continue;
    const { details } = message;
    if (typeof details !== "object" || details === null || Array.isArray(details)) continue;
    const { loaded } = details;
    if (!Array.isArray(loaded)) continue;
    for (const name of loaded) if (typeof name === "string") names.add(name);
  }
  return [...names];
}
