import type { HookEvent } from "@openclaw/plugin-sdk/hooks";
import { TOOL_NAMES } from "../tools/tools.js";

/** Start of every label. */
export const ORIGIN = "origin: ";
/** Tools whose results are made by this machine from their arguments alone. */
const OWN_TOOLS: ReadonlySet<string> = new Set([...TOOL_NAMES, "time", "json", "echo", "skill"]);
/** Maximum number of sessions that are remembered, and of tools that a label names. */
const MOST_SESSIONS = 1000;
const MOST_NAMED = 5;

type Messages = HookEvent<"before_prompt_build">["messages"];

/**
 * Tools whose output the model of each session has seen. Text that it remembers afterwards may come from there, whatever
 * it claims, so it is labelled with these tools (MEM-281).
 */
export class Origins {
  readonly #seen = new Map<string, Set<string>>();

  /**
   * Reads the tools of a conversation when a turn starts; also those of turns before a restart.
   * @param sessionKey - session of the turn
   * @param messages - its conversation
   */
  open(sessionKey: string, messages: Messages): void {
    const tools = new Set<string>();
    for (const message of messages) if (message.role === "toolResult") tools.add(message.toolName);
    this.#seen.delete(sessionKey);
    this.#seen.set(sessionKey, tools);
    const [oldest] = this.#seen.keys();
    if (this.#seen.size > MOST_SESSIONS && oldest !== undefined) this.#seen.delete(oldest);
  }

  /**
   * Adds a tool whose output the model sees next.
   * @param sessionKey - session of the call
   */
  add(sessionKey: string, toolName: string): void {
    const seen = this.#seen.get(sessionKey) ?? new Set();
    this.#seen.set(sessionKey, seen.add(toolName));
  }

  /**
   * Returns the label of text that is remembered now; undefined when only the user and the model can have written it.
   * @param sessionKey - session of the turn
   * @param groupId - group of the conversation, in which other people write
   */
  labelOf(sessionKey: string, groupId: string | undefined): string | undefined {
    const tools = [...(this.#seen.get(sessionKey) ?? [])].filter((name) => !OWN_TOOLS.has(name));
    const named = tools.slice(0, MOST_NAMED).join(", ");
    const more = tools.length > MOST_NAMED ? " and others" : "";
    const origins = [
      ...(tools.length === 0 ? [] : [`after output of ${named}${more}`]),
      ...(groupId === undefined ? [] : ["in a conversation with other people"]),
    ];
    return origins.length === 0 ? undefined : `${ORIGIN}written ${origins.join(", ")}`;
  }
}
