import { randomUUID } from "node:crypto";
import { defined } from "@openclaw/foundation";
import type { ReplyOutcome } from "@openclaw/messaging";
import type {
  ChatCompletion,
  ChatCompletionChunk,
  ChatCompletionFinishReason,
  ChatCompletionRequest,
  ChatCompletionToolCall,
  ChatCompletionUsage,
  OpenClawOutcome,
} from "@openclaw/protocol/openai";
import {
  finishReason,
  openClawOutcome,
  type ReturnedCall,
  reasoningOf,
  returnedCalls,
  textOf,
  usageOf,
} from "../outcome.js";

/**
 * Returns the response to a request without `stream`.
 * @param outcome - outcome of the request's message, without an error
 * @param request - request with the model name
 * @param now - milliseconds since the epoch
 */
export function completionOf(
  outcome: ReplyOutcome,
  { model }: ChatCompletionRequest,
  now: number,
): ChatCompletion {
  const text = textOf(outcome);
  const calls = returnedCalls(outcome).map(toolCall);
  return {
    id: `chatcmpl-${"runId" in outcome ? outcome.runId : outcome.messageId}`,
    object: "chat.completion",
    created: Math.floor(now / 1000),
    model,
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: calls.length > 0 && text === "" ? null : text,
          refusal: null,
          ...defined({ reasoning_content: reasoningOf(outcome) }),
          ...(calls.length === 0 ? {} : { tool_calls: calls }),
        },
        logprobs: null,
        finish_reason: finishReason(outcome),
      },
    ],
    usage: usageOf(outcome),
    ...defined({ openclaw_outcome: openClawOutcome(outcome) }),
  };
}

/**
 * Returns functions that create the events of one streamed response, all with the same ID and time.
 * @param request - request with the model name
 * @param now - milliseconds since the epoch
 */
export function completionChunks({ model }: ChatCompletionRequest, now: number) {
  const id = `chatcmpl-${randomUUID()}`;
  const created = Math.floor(now / 1000);
  const chunk = (rest: Pick<ChatCompletionChunk, "choices" | "usage" | "openclaw_outcome">) =>
    JSON.stringify({ id, object: "chat.completion.chunk", created, model, ...rest });
  const delta = (
    change: ChatCompletionChunk["choices"][number]["delta"],
    finish_reason: ChatCompletionFinishReason | null = null,
    outcome?: OpenClawOutcome,
  ) =>
    chunk({
      choices: [{ index: 0, delta: change, logprobs: null, finish_reason }],
      ...defined({ openclaw_outcome: outcome }),
    });
  return {
    delta,
    /** Returns the last event with a choice. */
    end: (outcome: ReplyOutcome) => delta({}, finishReason(outcome), openClawOutcome(outcome)),
    call: (call: ReturnedCall, index: number) =>
      delta({ tool_calls: [{ index, ...toolCall(call) }] }),
    usage: (usage: ChatCompletionUsage) => chunk({ choices: [], usage }),
  };
}

function toolCall(call: ReturnedCall): ChatCompletionToolCall {
  const { id, name } = call;
  return { id, type: "function", function: { name, arguments: call.arguments } };
}
