import { jsonCopy } from "@openclaw/foundation";
import type { AgentMessage } from "@openclaw/plugin-sdk/tools";

/**
 * Reads a hook's replacement for a message. A transcript outlives the plugin and is read before every turn,
 * so a replacement that would break it is rejected.
 * @param original - the message as it was
 * @param replacement - return value of the hook
 * @returns the replacement as plain JSON; undefined when it cannot replace the original
 */
export function standIn(
  original: AgentMessage,
  replacement: AgentMessage,
): AgentMessage | undefined {
  // Later readers of the transcript rely on the properties checked below.
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
    case "file":
      return typeof fields.data === "string" && typeof fields.mimeType === "string";
    case "toolCall":
      return typeof fields.toolCallId === "string" && typeof fields.toolName === "string";
    default:
      return false;
  }
}
