import type {
  AssistantMessage,
  FilePart,
  ImagePart,
  UserMessage,
} from "@openclaw/plugin-sdk/tools";

/**
 * Returns a message that the host writes instead of the model.
 * @param text - text of the message
 * @param timestamp - milliseconds since the epoch
 */
export function assistantNote(text: string, timestamp: number): AssistantMessage {
  return {
    role: "assistant",
    content: [{ type: "text", text }],
    provider: "openclaw",
    model: "host",
    stopReason: "stop",
    timestamp,
  };
}

/**
 * Returns a message to the model, from the user or on the user's behalf.
 * @param text - text of the message
 * @param timestamp - milliseconds since the epoch
 * @param media - images and files that follow the text
 */
export function userNote(
  text: string,
  timestamp: number,
  media: readonly (ImagePart | FilePart)[] = [],
): UserMessage {
  return { role: "user", content: [{ type: "text", text }, ...media], timestamp };
}
