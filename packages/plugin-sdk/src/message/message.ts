import type { JsonObject, JsonValue } from "../schema/json.js";

/** Time for which a provider keeps the beginning of a request in its cache. */
export type CacheLifetime = "5m" | "1h";

/** Part up to whose end a provider is asked to cache the request. Providers that do not cache on request ignore this. */
export interface CacheablePart {
  /** Absent for no request. */
  cache?: CacheLifetime;
}

/** File of a tool result, which clients such as those of MCP receive; models read the text of its part. */
export interface PartFile {
  /** For example `audio/wav`. */
  mimeType: string;
  /** URI of the resource; absent for audio without one. */
  uri?: string;
  /** Base64 of the file's bytes; absent when the text of the part is the whole content. */
  data?: string;
}

/** Plain text inside a message. */
export interface TextPart extends CacheablePart {
  type: "text";
  text: string;
  /** File that the text describes or contains; only in results of tools. */
  file?: PartFile;
}

/** An image inside a message. */
export interface ImagePart extends CacheablePart {
  type: "image";
  /** Base64 of the image's bytes. */
  data: string;
  /** For example `image/png`. */
  mimeType: string;
}

/** A file other than an image, from a user. */
export interface FilePart extends CacheablePart {
  type: "file";
  /** Base64 of the file's bytes. */
  data: string;
  /** For example `application/pdf`. */
  mimeType: string;
  /** Name of the file. */
  name?: string;
}

/** Reasoning that a model produced before its answer. */
export interface ThinkingPart {
  type: "thinking";
  text: string;
  /**
   * Data by which the provider recognises its own reasoning, for example a signature. It is sent back to the same model
   * with the rest of the conversation, and to no other.
   */
  providerData?: JsonObject;
}

/** Tool call requested by a model. */
export interface ToolCallPart extends CacheablePart {
  type: "toolCall";
  toolCallId: string;
  toolName: string;
  /** Arguments from the model: parsed JSON, not yet validated. */
  params: JsonValue;
  /** Data by which the provider recognises its own call; see `ThinkingPart`. */
  providerData?: JsonObject;
}

/** Token usage of a model call. A field that the provider does not report is absent. */
export interface Usage {
  input?: number;
  output?: number;
  cacheRead?: number;
  cacheWrite?: number;
  /** Part of `output` that the model used for reasoning. */
  reasoning?: number;
  total?: number;
  /** Cost of the call, or of several calls; absent when the host did not count it. */
  cost?: UsageCost;
}

/** Cost of calls of models (LLM-004) or of a tool. */
export interface UsageCost {
  /** US dollars as a decimal number, exact. */
  usd: string;
  /** True when a price or a number of tokens was not known, so that the amount is an estimate. */
  estimated: boolean;
}

/** Message from the user, or from a program that acts for the user. */
export interface UserMessage {
  role: "user";
  content: (TextPart | ImagePart | FilePart)[];
  /** Milliseconds since the epoch. */
  timestamp: number;
}

/** Plugin that blocked a message before it was sent to a model, and the time (TURN-024). */
export interface GateBlock {
  outcome: "block";
  /** Id of the plugin. */
  blockedBy?: string;
  /** Milliseconds since the epoch. */
  blockedAt: number;
  category?: string;
}

/** Message from a model. */
export interface AssistantMessage {
  role: "assistant";
  content: (TextPart | ThinkingPart | ToolCallPart)[];
  provider: string;
  model: string;
  usage?: Usage;
  /** Reason why the model stopped or was stopped. */
  stopReason:
    | "stop"
    | "length"
    | "tool-calls"
    | "content-filter"
    | "error"
    | "interrupted"
    | "other";
  /** Stop sequence of the request at which the reply ended; absent when the provider does not tell. */
  stopSequence?: string;
  /** True when the answer was sent by other means, for example by an agent harness; the reply may then be empty. */
  delivered?: true;
  /**
   * Data by which the provider continues after this reply, for example the ID of a response that it stored; sent back to
   * the same model only.
   */
  continuation?: JsonObject;
  /** Text sent to the user when it differs from the model's text. */
  deliveredText?: string;
  /** Set when the text replaces a message that the gate blocked; the blocked message is not stored. */
  gate?: GateBlock;
  timestamp: number;
}

/** Result of one tool call. */
export interface ToolResultMessage {
  role: "toolResult";
  toolCallId: string;
  toolName: string;
  content: (TextPart | ImagePart)[];
  isError: boolean;
  /** Why the tool did not run to its end; absent when it did. */
  failure?: "refused" | "timed-out" | "interrupted" | "outcome-unknown";
  /** Number of parts at the end of the content that are guidance of plugins; 0 when absent. */
  guidanceParts?: number;
  /** Structured result for clients; never sent to a model. */
  details?: JsonValue;
  /** Cost of the call, as the tool reported it. */
  cost?: UsageCost;
  /** True when `details` was reduced to a summary for the transcript (HCR-014). */
  persistedDetailsTruncated?: boolean;
  timestamp: number;
}

/** Entry of a transcript. */
export type AgentMessage = UserMessage | AssistantMessage | ToolResultMessage;

/**
 * Returns the visible text of a message: its text parts joined by line breaks.
 * @param message - any transcript message
 */
export function messageText(message: AgentMessage): string {
  const texts: string[] = [];
  for (const part of message.content) if (part.type === "text") texts.push(part.text);
  return texts.join("\n");
}
