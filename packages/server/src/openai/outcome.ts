import { defined } from "@openclaw/foundation";
import type { ReplyOutcome } from "@openclaw/messaging";
import type {
  ChatCompletionFinishReason,
  ChatCompletionUsage,
  OpenClawOutcome,
} from "@openclaw/protocol/openai";
import type { OpenAiFailure } from "./error.js";
import { callIdOf } from "./identifier.js";

/** Code of the error for a turn that was interrupted; when the host stops, it continues after the next start. */
export const INTERRUPTED = "interrupted";

/** Outcome of a response that is sent while its turn waits for an approval. */
export const WAITING: OpenClawOutcome = { status: "waiting_for_approval" };

/** Call of a client's tool, as its client receives it. */
export interface ReturnedCall {
  /** ID with which the client sends the result. */
  readonly id: string;
  readonly name: string;
  /** Arguments as JSON. */
  readonly arguments: string;
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
        code: INTERRUPTED,
        message: "the turn was interrupted",
        shouldRetry: false,
      };
    case "duplicate":
      return {
        status: 409,
        type: "invalid_request_error",
        code: "duplicate_message",
        message: `this message was already received as ${outcome.messageId}; its reply is in the session`,
        shouldRetry: false,
      };
    default:
      return undefined;
  }
}

/** Returns the text of an outcome without an error. */
export function textOf(outcome: ReplyOutcome): string {
  return "text" in outcome ? outcome.text : "";
}

/** Returns the parts of the text of an outcome; none when it has no text. */
export function partsOf(outcome: ReplyOutcome): readonly string[] {
  const text = textOf(outcome);
  if (text === "") return [];
  return (outcome.status === "replied" ? outcome.parts : undefined) ?? [text];
}

/** Returns the reasoning before the reply; undefined when there is none. */
export function reasoningOf(outcome: ReplyOutcome): string | undefined {
  return outcome.status === "replied" ? outcome.reasoning : undefined;
}

/** Returns the calls that an outcome returns to its client. */
export function returnedCalls(outcome: ReplyOutcome): readonly ReturnedCall[] {
  if (outcome.status !== "replied") return [];
  const { runId, clientCalls = [] } = outcome;
  return clientCalls.map(({ toolName, params }, index) => ({
    id: callIdOf(runId, index),
    name: toolName,
    arguments: JSON.stringify(params),
  }));
}

/** Returns the reason why the text of an outcome ends. */
export function finishReason(outcome: ReplyOutcome): ChatCompletionFinishReason {
  if (outcome.status === "withheld") return "content_filter";
  if (outcome.status !== "replied") return "stop";
  if (returnedCalls(outcome).length > 0) return "tool_calls";
  if (outcome.stopReason === "length" || outcome.stopReason === "max_iterations") return "length";
  return outcome.stopReason === "content-filter" ? "content_filter" : "stop";
}

/**
 * Returns what an OpenAI client cannot read from the other fields of a response (GW-460).
 * @param outcome - outcome without an error
 * @returns undefined when the turn did its work
 */
export function openClawOutcome(outcome: ReplyOutcome): OpenClawOutcome | undefined {
  if (outcome.status === "withheld") return { status: "withheld" };
  if (outcome.status !== "replied") return undefined;
  const { unapprovedTools, deniedTools } = outcome;
  if (unapprovedTools === undefined) {
    return deniedTools && { status: "denied", tools: [...deniedTools] };
  }
  const denied = defined({ denied_tools: deniedTools && [...deniedTools] });
  return { status: "not_approved", tools: [...unapprovedTools], ...denied };
}

/** Returns the token usage of an outcome. */
export function usageOf(outcome: ReplyOutcome): ChatCompletionUsage {
  const usage: ReplyUsage = outcome.status === "replied" ? outcome.usage : {};
  const { input = 0, output = 0, total = input + output, cacheRead, reasoning } = usage;
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: total,
    ...defined({
      prompt_tokens_details: cacheRead === undefined ? undefined : { cached_tokens: cacheRead },
      completion_tokens_details:
        reasoning === undefined ? undefined : { reasoning_tokens: reasoning },
    }),
  };
}

type ReplyUsage = Extract<ReplyOutcome, { status: "replied" }>["usage"];
/** Error of a failed turn, or of another request to a model. */
export type TurnFailure = Extract<ReplyOutcome, { status: "failed" }>["error"];

/**
 * Returns the error for a failed turn. A repeat of the request would be a second message, so clients are told
 * not to repeat it, except when the provider asks to wait.
 */
export function failedTurn(error: TurnFailure): OpenAiFailure {
  const told = { code: error.code.toLowerCase(), message: error.message, shouldRetry: false };
  switch (error.code) {
    case "MODEL_NOT_FOUND":
    case "MODEL_NOT_AVAILABLE":
      return { status: 404, type: "not_found_error", ...told };
    case "MESSAGE_REFUSED":
    case "MODEL_PROMPT_UNSUPPORTED":
    case "MODEL_TOOL_SCHEMA_INVALID":
      return { status: 400, type: "invalid_request_error", ...told };
    case "MODEL_CONTEXT_LENGTH_EXCEEDED":
      return {
        status: 400,
        type: "invalid_request_error",
        ...told,
        code: "context_length_exceeded",
      };
    case "CLIENT_TOOL_DENIED":
      return { status: 403, type: "permission_error", ...told, param: "tools" };
    // The client's own credential is valid, so 401 would mislead it.
    case "MODEL_AUTHENTICATION_FAILED":
    case "MODEL_PROVIDER_NOT_READY":
      return { status: 424, type: "server_error", ...told };
    case "MODEL_RATE_LIMITED":
      return {
        status: 429,
        type: "rate_limit_error",
        ...told,
        retryAfterMs: error.retryAfterMs,
        shouldRetry: error.retryable,
      };
    case "MODEL_TIMEOUT":
      return { status: 504, type: "server_error", ...told };
    case "MODEL_REQUEST_FAILED":
      return isClientError(error.providerStatus)
        ? { status: 400, type: "invalid_request_error", ...told }
        : { status: 502, type: "server_error", ...told };
    default:
      return { status: error.retryable ? 502 : 500, type: "server_error", ...told };
  }
}

function isClientError(status: number | undefined): boolean {
  return status !== undefined && status >= 400 && status < 500;
}
