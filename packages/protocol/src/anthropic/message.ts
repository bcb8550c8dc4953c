import type { OpenClawOutcome } from "../openai/outcome.js";
/** Reasoning of the model before its answer. */
export interface ThinkingBlock {
  type: "thinking";
  thinking: string;
  /** Recognises the block when its client sends it back. */
  signature: string;
}

/** Text of the model. */
export interface TextBlock {
  type: "text";
  text: string;
  citations: null;
}

/** Call of a tool that the client has to run. */
export interface ToolUseBlock {
  type: "tool_use";
  id: string;
  name: string;
  input: Record<string, unknown>;
}

/** Block of the content of a message. */
export type ContentBlock = ThinkingBlock | TextBlock | ToolUseBlock;

/** Reason why a message ends. */
export type MessageStopReason =
  | "end_turn"
  | "max_tokens"
  | "stop_sequence"
  | "tool_use"
  | "refusal";

/** Tokens of a message; the input without what the provider read from its cache or wrote to it. */
export interface MessageUsage {
  input_tokens: number;
  output_tokens: number;
  cache_read_input_tokens: number;
  cache_creation_input_tokens: number;
}

/** Response of `POST /v1/messages`. */
export interface MessageObject {
  id: string;
  type: "message";
  role: "assistant";
  model: string;
  content: ContentBlock[];
  stop_reason: MessageStopReason | null;
  stop_sequence: string | null;
  usage: MessageUsage;
  /** Addition of OpenClaw: why the turn did not do its work; absent when it did. */
  openclaw_outcome?: OpenClawOutcome;
}

/** Server-sent event of a streamed message. */
export type MessageEvent =
  | { type: "message_start"; message: MessageObject }
  | { type: "content_block_start"; index: number; content_block: ContentBlock }
  | {
      type: "content_block_delta";
      index: number;
      delta:
        | { type: "text_delta"; text: string }
        | { type: "thinking_delta"; thinking: string }
        | { type: "signature_delta"; signature: string }
        | { type: "input_json_delta"; partial_json: string };
    }
  | { type: "content_block_stop"; index: number }
  | {
      type: "message_delta";
      delta: { stop_reason: MessageStopReason; stop_sequence: string | null };
      usage: MessageUsage;
      openclaw_outcome?: OpenClawOutcome;
    }
  | { type: "message_stop" }
  | { type: "ping" }
  | MessageErrorBody;

/** Body of every error response of the Messages API, and error in a stream. */
export interface MessageErrorBody {
  type: "error";
  error: {
    type: string;
    message: string;
    /** Stable code of the gateway. */
    code: string;
  };
}

/** Model in the list of models. */
export interface ListedModel {
  type: "model";
  id: string;
  display_name: string;
  /** RFC 3339; the beginning of 1970 because the gateway does not know it. */
  created_at: string;
}

/** Response of `GET /v1/models`. */
export interface ModelList {
  data: ListedModel[];
  first_id: string | null;
  last_id: string | null;
  has_more: boolean;
}
