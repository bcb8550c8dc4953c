import type { AssistantMessage, JsonObject, JsonValue, Usage } from "@openclaw/plugin-sdk/tools";

/** Tool call whose arguments are JSON; the host has yet to validate them. */
export interface ModelToolCall {
  /** Unique within the conversation. */
  toolCallId: string;
  toolName: string;
  params: JsonValue;
  /** Data by which the provider recognises the call when it is sent back. */
  providerData?: JsonObject | undefined;
}

/**
 * Tool call that must not run: its arguments are not JSON, or it names no tool. The model receives `problem`
 * as the call's result (LLM-038).
 */
export interface MalformedToolCall {
  /** Unique within the conversation. */
  toolCallId: string;
  /** `unnamed` when the model named no tool. */
  toolName: string;
  /** The arguments as the model wrote them. */
  rawParams: string;
  /** Problem and how to fix it, written for the model. */
  problem: string;
}

/**
 * Events of a model's reply, in order. The last event of a complete reply is `finish`; a reply that ends
 * without it throws a `ModelRequestError`, so calls may run once `finish` has arrived.
 */
export type ModelEvent =
  | { type: "text"; delta: string }
  | { type: "thinking"; delta: string }
  | {
      /** End of a part of the reasoning that the provider recognises when it is sent back (LLM-046). */
      type: "thinking-signed";
      /** Whole text of the part; empty when the provider keeps it secret. */
      text: string;
      providerData: JsonObject;
    }
  | { type: "tool-call"; call: ModelToolCall | MalformedToolCall }
  | {
      type: "finish";
      /** `tool-calls` exactly when the reply has calls and was neither truncated nor filtered. */
      stopReason: AssistantMessage["stopReason"];
      usage: Usage;
      /** Whole text of the reply, where the events before showed another one. */
      text?: string | undefined;
      /** ID that the provider gave this reply. */
      responseId?: string | undefined;
      /** Data by which the provider continues after this reply (LLM-007). */
      continuation?: JsonObject | undefined;
      /** Stop sequence at which the reply ended; absent when it did not, or the provider does not tell. */
      stopSequence?: string | undefined;
      /** True when the answer was sent by other means, so that the reply may be empty. */
      delivered?: true | undefined;
      /** True for a reply from the cache, which used no tokens. */
      isCached?: true | undefined;
    };

/**
 * Returns true for a call that must be answered with its problem instead of run.
 * @param call - call of a `tool-call` event
 */
export function isMalformedToolCall(
  call: ModelToolCall | MalformedToolCall,
): call is MalformedToolCall {
  return "problem" in call;
}
