import { defined } from "@openclaw/foundation";
import type { ReplyOutcome } from "@openclaw/messaging";
import type { ResponseObject, ResponseRequest } from "@openclaw/protocol/openai";
import type { OpenAiFailure } from "../error.js";
import { callItemId, messageItemId, reasoningItemId } from "../identifier.js";
import {
  finishReason,
  openClawOutcome,
  partsOf,
  type ReturnedCall,
  reasoningOf,
  returnedCalls,
  usageOf,
} from "../outcome.js";

/** Item of the output of a response. */
export type ResponseOutputItem = ResponseObject["output"][number];
/** Reasoning in the output of a response. */
export type ReasoningItem = Extract<ResponseOutputItem, { type: "reasoning" }>;

type ResponseUsage = NonNullable<ResponseObject["usage"]>;

/** Message of the model in the output of a response. */
export type ResponseMessage = Extract<ResponseOutputItem, { type: "message" }>;

/** Identity of a response. */
export interface ResponseIdentity {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
}

/**
 * Returns a response that has begun.
 * @param identity - ID and time
 * @param request - its request, whose parameters it repeats
 */
export function begunResponse(
  { id, createdAt }: ResponseIdentity,
  request: ResponseRequest,
): ResponseObject {
  return {
    id,
    object: "response",
    created_at: Math.floor(createdAt / 1000),
    status: "in_progress",
    error: null,
    incomplete_details: null,
    instructions: request.instructions ?? null,
    max_output_tokens: request.max_output_tokens ?? null,
    metadata: request.metadata ?? {},
    model: request.model,
    output: [],
    parallel_tool_calls: request.parallel_tool_calls ?? true,
    previous_response_id: request.previous_response_id ?? null,
    reasoning: {
      effort: request.reasoning?.effort ?? null,
      summary: request.reasoning?.summary ?? null,
    },
    store: request.store ?? true,
    temperature: request.temperature ?? null,
    text: { format: request.text?.format ?? { type: "text" } },
    tool_choice: request.tool_choice ?? "auto",
    tools: request.tools ?? [],
    top_p: request.top_p ?? null,
    truncation: "disabled",
    usage: null,
    user: request.user ?? null,
  };
}

/**
 * Returns a response that is complete.
 * @param begun - the response as it began
 * @param outcome - outcome of its message, without an error
 * @param output - items of the reply
 */
export function completeResponse(
  begun: ResponseObject,
  outcome: ReplyOutcome,
  output: ResponseOutputItem[],
): ResponseObject {
  const usage = responseUsage(outcome);
  const told = defined({ openclaw_outcome: openClawOutcome(outcome) });
  switch (finishReason(outcome)) {
    case "length":
      return incomplete("max_output_tokens");
    case "content_filter":
      return incomplete("content_filter");
    default:
      return { ...begun, status: "completed", output, usage, ...told };
  }

  function incomplete(
    reason: NonNullable<ResponseObject["incomplete_details"]>["reason"],
  ): ResponseObject {
    const incomplete_details = { reason };
    return { ...begun, status: "incomplete", incomplete_details, output, usage, ...told };
  }
}

/**
 * Returns the items of a reply; each part of its text is a message (TURN-400).
 * @param outcome - outcome of its message, without an error
 * @param encrypted - encrypted reasoning of its last model call
 */
export function replyItems(
  outcome: ReplyOutcome,
  encrypted: readonly string[],
): ResponseOutputItem[] {
  const { messageId } = outcome;
  const texts = partsOf(outcome);
  const reasoning = reasoningOf(outcome);
  const calls = returnedCalls(outcome).map(callItem);
  const shown = texts.length === 0 && calls.length === 0 ? [""] : texts;
  return [
    ...reasoningItems(messageId, reasoning === undefined ? [] : [reasoning], encrypted),
    ...shown.map((text, index) => messageItem(messageId, text, index)),
    ...calls,
  ];
}

/**
 * Returns the reasoning of a reply: one item with all that is readable, and one for each further encrypted content.
 * @param messageId - ID of the request's message in the inbox
 * @param parts - reasoning of each model call
 * @param encrypted - encrypted reasoning of the last model call
 */
export function reasoningItems(
  messageId: string,
  parts: readonly string[],
  encrypted: readonly string[],
): ReasoningItem[] {
  if (parts.length === 0 && encrypted.length === 0) return [];
  const [first, ...others] = encrypted;
  return [
    reasoningItem(messageId, parts, first),
    ...others.map((content, index) => ({
      ...reasoningItem(messageId, [], content),
      id: reasoningItemId(messageId, index + 1),
    })),
  ];
}

/**
 * Returns the item with the readable reasoning of a reply.
 * @param messageId - ID of the request's message in the inbox
 * @param parts - reasoning of each model call
 * @param encrypted - encrypted reasoning
 */
export function reasoningItem(
  messageId: string,
  parts: readonly string[],
  encrypted: string | undefined,
): ReasoningItem {
  return {
    type: "reasoning",
    id: reasoningItemId(messageId),
    status: "completed",
    summary: parts.map(summaryText),
    ...defined({ encrypted_content: encrypted }),
  };
}

/** Returns a part of the reasoning. */
export function summaryText(text: string): ReasoningItem["summary"][number] {
  return { type: "summary_text", text };
}

/**
 * Returns a response that failed.
 * @param begun - the response as it began
 * @param failure - problem and next step
 */
export function failedResponse(
  begun: ResponseObject,
  { code, message }: OpenAiFailure,
): ResponseObject {
  return { ...begun, status: "failed", error: { code, message } };
}

/**
 * Returns a message of a reply.
 * @param messageId - ID of the request's message in the inbox
 * @param text - text of the reply, or of one of its parts
 * @param index - index among the messages of the reply
 */
export function messageItem(messageId: string, text: string, index = 0): ResponseMessage {
  return {
    type: "message",
    id: messageItemId(messageId, index),
    status: "completed",
    role: "assistant",
    content: [outputText(text)],
  };
}

/** Returns the content of a message. */
export function outputText(text: string): ResponseMessage["content"][number] {
  return { type: "output_text", text, annotations: [], logprobs: [] };
}

/**
 * Returns the item of a call.
 * @param call - call that the client has to run
 */
export function callItem(
  call: ReturnedCall,
): Extract<ResponseOutputItem, { type: "function_call" }> {
  const { id, name } = call;
  return {
    type: "function_call",
    id: callItemId(id),
    call_id: id,
    name,
    arguments: call.arguments,
    status: "completed",
  };
}

function responseUsage(outcome: ReplyOutcome): ResponseUsage {
  const usage = usageOf(outcome);
  return {
    input_tokens: usage.prompt_tokens,
    // The API requires the details; a provider that does not report them counts as 0.
    input_tokens_details: usage.prompt_tokens_details ?? { cached_tokens: 0 },
    output_tokens: usage.completion_tokens,
    output_tokens_details: usage.completion_tokens_details ?? { reasoning_tokens: 0 },
    total_tokens: usage.total_tokens,
  };
}
