import { defined } from "@openclaw/foundation";
import type { ReplyOutcome, ReplyUsage } from "@openclaw/messaging";
import type {
  ContentBlock,
  MessageObject,
  MessageStopReason,
  MessageUsage,
} from "@openclaw/protocol/anthropic";
import { messageItemId } from "../openai/identifier.js";
import {
  finishReason,
  openClawOutcome,
  type ReturnedCall,
  reasoningOf,
  returnedCalls,
  textOf,
} from "../openai/outcome.js";
import { signatureOf } from "./reference.js";
import type { ShownReasoning } from "./settings.js";

/**
 * Returns the response to a request without `stream`.
 * @param outcome - outcome of the request's message, without an error
 * @param model - model as the client named it
 * @param shown - form in which the client receives reasoning
 */
export function messageOf(
  outcome: ReplyOutcome,
  model: string,
  shown: ShownReasoning,
): MessageObject {
  const { messageId } = outcome;
  const reasoning = reasoningOf(outcome);
  const text = textOf(outcome);
  const content: ContentBlock[] = returnedCalls(outcome).map(toolUse);
  if (text !== "") content.unshift(textBlock(text));
  if (shown !== "none" && reasoning !== undefined) {
    content.unshift(thinkingBlock(shown === "text" ? reasoning : "", signatureOf(messageId)));
  }
  return {
    ...begunMessage(messageId, model),
    content,
    ...endOf(outcome),
    usage: messageUsage(outcome),
    ...defined({ openclaw_outcome: openClawOutcome(outcome) }),
  };
}

/**
 * Returns a message whose content is to come.
 * @param messageId - ID of the request's message in the inbox
 * @param model - model as the client named it
 */
export function begunMessage(messageId: string, model: string): MessageObject {
  return {
    id: messageItemId(messageId),
    type: "message",
    role: "assistant",
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: usageOf({}),
  };
}

/** Returns a block of text. */
export function textBlock(text: string): ContentBlock {
  return { type: "text", text, citations: null };
}

/** Returns a block of reasoning. */
export function thinkingBlock(thinking: string, signature: string): ContentBlock {
  return { type: "thinking", thinking, signature };
}

/** Returns the block of a call. */
export function toolUse({ id, name, ...call }: ReturnedCall): ContentBlock {
  const input: Record<string, unknown> = JSON.parse(call.arguments);
  return { type: "tool_use", id, name, input };
}

/** Returns why an outcome ends its message. */
export function endOf(outcome: ReplyOutcome): {
  stop_reason: MessageStopReason;
  stop_sequence: string | null;
} {
  const reason = stopReason(outcome);
  const sequence = outcome.status === "replied" ? outcome.stopSequence : undefined;
  // The reply of the gateway may go on after the model's own, and then it did not end there.
  return reason === "end_turn" && sequence !== undefined
    ? { stop_reason: "stop_sequence", stop_sequence: sequence }
    : { stop_reason: reason, stop_sequence: null };
}

function stopReason(outcome: ReplyOutcome): Exclude<MessageStopReason, "stop_sequence"> {
  switch (finishReason(outcome)) {
    case "tool_calls":
      return "tool_use";
    case "length":
      return "max_tokens";
    case "content_filter":
      return "refusal";
    case "stop":
      return "end_turn";
  }
}

/** Returns the tokens of an outcome. */
export function messageUsage(outcome: ReplyOutcome): MessageUsage {
  return usageOf(outcome.status === "replied" ? outcome.usage : {});
}

/** The API counts what was read from a cache or written to it separately; the gateway counts it as part of the input. */
export function usageOf({ input = 0, output = 0, cacheRead = 0, cacheWrite = 0 }: ReplyUsage) {
  return {
    input_tokens: Math.max(0, input - cacheRead - cacheWrite),
    output_tokens: output,
    cache_read_input_tokens: cacheRead,
    cache_creation_input_tokens: cacheWrite,
  };
}
