import type { JsonValue } from "../schema/json.js";

/** Plain text inside a message. */
export interface TextPart {
  type: "text";
  text: string;
}

/** An image inside a message. */
export interface ImagePart {
  type: "image";
  /** Base64 of the image's bytes. */
  data: string;
  /** For example `image/png`. */
  mimeType: string;
}

/** What a model thought aloud before it answered. */
export interface ThinkingPart {
  type: "thinking";
  text: string;
}

/** A model's request to run a tool. */
export interface ToolCallPart {
  type: "toolCall";
  toolCallId: string;
  toolName: string;
  /** Arguments as the model gave them; parsed JSON, not yet validated. */
  params: JsonValue;
}

/** Tokens a model call used. A provider that does not say leaves a field out. */
export interface Usage {
  input?: number;
  output?: number;
  cacheRead?: number;
  cacheWrite?: number;
  total?: number;
}

/** A message from the person, or from whatever spoke for them. */
export interface UserMessage {
  role: "user";
  content: (TextPart | ImagePart)[];
  /** Milliseconds since the epoch. */
  timestamp: number;
}

/** Who blocked a message before a model saw it, and when (TURN-024). */
export interface GateBlock {
  outcome: "block";
  /** The plugin. */
  blockedBy?: string;
  /** Milliseconds since the epoch. */
  blockedAt: number;
  category?: string;
}

/** A message the model produced. */
export interface AssistantMessage {
  role: "assistant";
  content: (TextPart | ThinkingPart | ToolCallPart)[];
  provider: string;
  model: string;
  usage?: Usage;
  /** Why the model stopped, or why the host stopped it. */
  stopReason:
    | "stop"
    | "length"
    | "tool-calls"
    | "content-filter"
    | "error"
    | "interrupted"
    | "other";
  /** What the user was given, where it is not the model's text. */
  deliveredText?: string;
  /** Set where the text stands in place of a message that the gate blocked; that is kept nowhere. */
  gate?: GateBlock;
  timestamp: number;
}

/** The answer to one tool call. */
export interface ToolResultMessage {
  role: "toolResult";
  toolCallId: string;
  toolName: string;
  content: (TextPart | ImagePart)[];
  isError: boolean;
  /** Structured result for clients; never shown to a model. */
  details?: JsonValue;
  /** True when `details` was cut to a summary on its way to the transcript (HCR-014). */
  persistedDetailsTruncated?: boolean;
  timestamp: number;
}

/** One entry of a conversation's transcript. */
export type AgentMessage = UserMessage | AssistantMessage | ToolResultMessage;

/**
 * The visible text of a message: its text parts joined by line breaks.
 * @param message - any transcript message
 */
export function messageText(message: AgentMessage): string {
  const texts: string[] = [];
  for (const part of message.content) if (part.type === "text") texts.push(part.text);
  return texts.join("\n");
}
