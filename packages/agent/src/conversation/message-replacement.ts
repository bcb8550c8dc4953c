import { jsonCopy } from "@openclaw/foundation";
import type { AgentMessage } from "@openclaw/plugin-sdk/tools";

/**
 * Reads what a hook wants written in place of a message. A transcript outlives the plugin and is read
 * back before every turn, so a message that would break it is not taken.
 * @param original - the message as it was
 * @param replacement - what the hook gave
 * @returns the replacement as JSON keeps it; undefined when it cannot stand for the original
 */
export function standIn(
  original: AgentMessage,
  replacement: AgentMessage,
): AgentMessage | undefined {
  // What is checked below is what a later reader of the transcript relies on.
  const message = jsonCopy(replacement) as unknown as AgentMessage | undefined;
  if (message?.role !== original.role || !message.content.every(isPart)) return undefined;
  if (message.role !== "toolResult" || original.role !== "toolResult") return message;
  return message.toolCallId === original.toolCallId ? message : undefined;
}

function isPart(part: unknown): boolean {
  if (typeof part !== "object" || part === null) return false;
  const { type, ...fields } = part as { readonly [field: string]: unknown };
  switch (type) {
    case "text":
    case "thinking":
      return typeof fields.text === "string";
    case "image":
      return typeof fields.data === "string" && typeof fields.mimeType === "string";
    case "toolCall":
      return typeof fields.toolCallId === "string" && typeof fields.toolName === "string";
    default:
      return false;
  }
}
