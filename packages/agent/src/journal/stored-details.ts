import type { AgentMessage, JsonValue } from "@openclaw/plugin-sdk/tools";

/** Largest `details` a transcript keeps, in bytes of JSON (HCR-014). */
const MAXIMUM_DETAILS_BYTES = 8192;
const MAXIMUM_DETAIL_KEYS = 20;

/** Returns a message as it may be stored: `details` that are too large are replaced by a summary of them. */
export function boundDetails<Message extends AgentMessage>(message: Message): Message {
  if (message.role !== "toolResult" || message.details === undefined) return message;
  const originalBytes = Buffer.byteLength(JSON.stringify(message.details));
  if (originalBytes <= MAXIMUM_DETAILS_BYTES) return message;
  return {
    ...message,
    details: {
      summary: "details were too large to keep",
      originalBytes,
      keys: keysOf(message.details),
    },
    persistedDetailsTruncated: true,
  };
}

function keysOf(details: JsonValue): string[] {
  const isObject = typeof details === "object" && details !== null && !Array.isArray(details);
  return isObject ? Object.keys(details).slice(0, MAXIMUM_DETAIL_KEYS) : [];
}
