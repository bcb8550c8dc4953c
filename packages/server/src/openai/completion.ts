import { randomUUID } from "node:crypto";
import type { ReplyOutcome } from "@openclaw/messaging";
import type {
  ChatCompletion,
  ChatCompletionChunk,
  ChatCompletionFinishReason,
  ChatCompletionRequest,
  ChatCompletionUsage,
} from "@openclaw/protocol";
import type { OpenAiFailure } from "./error.js";

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
  return {
    id: `chatcmpl-${"runId" in outcome ? outcome.runId : outcome.messageId}`,
    object: "chat.completion",
    created: Math.floor(now / 1000),
    model,
    choices: [
      {
        index: 0,
        message: { role: "assistant", content: textOf(outcome), refusal: null },
        logprobs: null,
        finish_reason: finishReason(outcome),
      },
    ],
    usage: usageOf(outcome),
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
  const chunk = (rest: Pick<ChatCompletionChunk, "choices" | "usage">) =>
    JSON.stringify({ id, object: "chat.completion.chunk", created, model, ...rest });
  return {
    delta: (
      delta: ChatCompletionChunk["choices"][number]["delta"],
      finish_reason: ChatCompletionFinishReason | null = null,
    ) => chunk({ choices: [{ index: 0, delta, logprobs: null, finish_reason }] }),
    usage: (usage: ChatCompletionUsage) => chunk({ choices: [], usage }),
  };
}

/**
 * Returns the error for an outcome; undefined for a successful one.
 * @param outcome - outcome of a request's message
 */
export function failureOf(outcome: ReplyOutcome): OpenAiFailure | undefined {
  switch (outcome.status) {
    case "failed":
      return failedTurn(outcome.error);
    case "interrupted":
      return {
        status: 503,
        type: "server_error",
        code: "interrupted",
        message: "the turn was interrupted",
      };
    case "duplicate":
      return {
        status: 409,
        type: "invalid_request_error",
        code: "duplicate_message",
        message: `this message was already received as ${outcome.messageId}; its reply is in the session`,
      };
    default:
      return undefined;
  }
}

/** Returns the text of an outcome without an error. */
export function textOf(outcome: ReplyOutcome): string {
  return "text" in outcome ? outcome.text : "";
}

/** Returns the reason why the text of an outcome ends. */
export function finishReason(outcome: ReplyOutcome): ChatCompletionFinishReason {
  if (outcome.status === "withheld") return "content_filter";
  if (outcome.status !== "replied") return "stop";
  if (outcome.stopReason === "length" || outcome.stopReason === "max_iterations") return "length";
  return outcome.stopReason === "content-filter" ? "content_filter" : "stop";
}

/** Returns the token usage of an outcome. */
export function usageOf(outcome: ReplyOutcome): ChatCompletionUsage {
  const { input = 0, output = 0, total } = outcome.status === "replied" ? outcome.usage : {};
  return { prompt_tokens: input, completion_tokens: output, total_tokens: total ?? input + output };
}

function failedTurn({
  code,
  message,
  retryable,
}: Extract<ReplyOutcome, { status: "failed" }>["error"]): OpenAiFailure {
  const told = { code: code.toLowerCase(), message };
  switch (code) {
    case "MODEL_NOT_FOUND":
      return { status: 404, type: "not_found_error", ...told };
    case "MESSAGE_REFUSED":
      return { status: 400, type: "invalid_request_error", ...told };
    default:
      return { status: retryable ? 502 : 500, type: "server_error", ...told };
  }
}
