import type {
  AgentMessage,
  AssistantMessage,
  ImagePart,
  JsonValue,
  TextPart,
} from "@openclaw/plugin-sdk/tools";
import type { MessageContent } from "./content.js";

/** Reply of an earlier turn, named by the ID of the turn or of the message that it answered. */
export interface TurnReference {
  readonly role: "turn";
  readonly id: string;
  /** Reply as the client sent it, for a turn that is not stored any more. */
  readonly asSent?: AssistantMessage | undefined;
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
 * @param content - text, images and files
 * @param timestamp - milliseconds since the epoch
 */
export function userMessage(content: MessageContent, timestamp: number): AgentMessage {
  return { role: "user", content, timestamp };
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
  const parts: AssistantMessage["content"] = calls.map((call) => ({
    type: "toolCall",
    toolCallId: call.id,
    toolName: call.name,
    params: parseArguments(call.arguments),
  }));
  return replyOf(text === "" ? parts : [{ type: "text", text }, ...parts], timestamp);
}

/**
 * Returns a message of the model, in parts, that a client brought.
 * @param content - reasoning, text and calls of tools
 * @param timestamp - milliseconds since the epoch
 */
export function replyOf(content: AssistantMessage["content"], timestamp: number): AssistantMessage {
  const calls = content.some(({ type }) => type === "toolCall");
  return {
    role: "assistant",
    content,
    provider: "api",
    model: "caller",
    stopReason: calls ? "tool-calls" : "stop",
    timestamp,
  };
}

/**
 * Returns the result of a call that a client brought.
 * @param id - ID of the call
 * @param content - text and images
 * @param timestamp - milliseconds since the epoch
 * @param isError - true when the tool failed
 */
export function toolResult(
  id: string,
  content: readonly (TextPart | ImagePart)[],
  timestamp: number,
  isError = false,
): AgentMessage {
  return {
    role: "toolResult",
    toolCallId: id,
    toolName: "unknown",
    content: [...content],
    isError,
    timestamp,
  };
}

function parseArguments(text: string): JsonValue {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
