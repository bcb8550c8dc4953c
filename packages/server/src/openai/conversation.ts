import type {
  AgentMessage,
  AssistantMessage,
  ImagePart,
  JsonValue,
  TextPart,
} from "@openclaw/plugin-sdk/tools";
import type { OpenAiFailure } from "./error.js";
import { invalid } from "./error.js";

/** Reply of an earlier turn, named by the ID of the turn or of the message that it answered. */
export interface TurnReference {
  readonly role: "turn";
  readonly id: string;
}

/** Entry of the conversation of a request; IDs of calls are those of the client. */
export type ConversationEntry = AgentMessage | TurnReference;

/** Conversation of a request, in the same form for all routes. */
export interface RequestedConversation {
  /** System and developer messages, joined. */
  readonly instructions: string | undefined;
  /** All entries except instructions, oldest first. */
  readonly entries: readonly ConversationEntry[];
}

/**
 * Returns a user message.
 * @param parts - text and images
 * @param timestamp - milliseconds since the epoch
 */
export function userMessage(
  parts: readonly (TextPart | ImagePart)[],
  timestamp: number,
): AgentMessage {
  return { role: "user", content: [...parts], timestamp };
}

/**
 * Returns a message of the model that a client brought.
 * @param text - text, possibly empty
 * @param calls - calls of tools, with their arguments as JSON
 * @param timestamp - milliseconds since the epoch
 */
export function assistantMessage(
  text: string,
  calls: readonly { id: string; name: string; arguments: string }[],
  timestamp: number,
): AssistantMessage {
  return {
    role: "assistant",
    content: [
      ...(text === "" ? [] : [{ type: "text" as const, text }]),
      ...calls.map((call) => ({
        type: "toolCall" as const,
        toolCallId: call.id,
        toolName: call.name,
        params: parseArguments(call.arguments),
      })),
    ],
    provider: "api",
    model: "caller",
    stopReason: calls.length > 0 ? "tool-calls" : "stop",
    timestamp,
  };
}

/**
 * Returns the result of a call that a client brought.
 * @param id - ID of the call
 * @param content - text and images
 * @param timestamp - milliseconds since the epoch
 */
export function toolResult(
  id: string,
  content: readonly (TextPart | ImagePart)[],
  timestamp: number,
): AgentMessage {
  return {
    role: "toolResult",
    toolCallId: id,
    toolName: "unknown",
    content: [...content],
    isError: false,
    timestamp,
  };
}

/**
 * Reads an image, which must be a data URL: the host does not fetch URLs that a caller supplies.
 * @param url - URL from the request
 * @param param - parameter with the URL
 */
export function readImage(url: string, param: string): ImagePart | OpenAiFailure {
  const match = /^data:(image\/(?:png|jpeg|gif|webp));base64,([A-Za-z0-9+/]+={0,2})$/.exec(url);
  const [, mimeType, data] = match ?? [];
  if (mimeType !== undefined && data !== undefined) return { type: "image", mimeType, data };
  return invalid(
    "image_unsupported",
    `${param} must be a data URL of a PNG, JPEG, GIF or WebP image in base64 (data:image/png;base64,…); this gateway does not fetch images from other URLs`,
    param,
  );
}

function parseArguments(text: string): JsonValue {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
