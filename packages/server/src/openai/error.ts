import type { Logger } from "@openclaw/plugin-sdk";
import type { ApiErrorBody } from "@openclaw/protocol/openai";
import { StoreUnavailableError } from "@openclaw/store/errors";
import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { internalError } from "../http/internal-error.js";

/** Failed request in the format that OpenAI clients read. */
export interface OpenAiFailure {
  readonly status: ContentfulStatusCode;
  readonly type:
    | "invalid_request_error"
    | "authentication_error"
    | "permission_error"
    | "rate_limit_error"
    | "server_error"
    | "not_found_error";
  readonly code: string;
  readonly message: string;
  /** Name of the parameter that the failure is about, for example `messages[0].content`. */
  readonly param?: string | undefined;
  /** Milliseconds after which the client may try again. */
  readonly retryAfterMs?: number | undefined;
  /**
   * Tells official clients whether to repeat the request; without it they repeat it after a 408, 409, 429 or
   * 5xx.
   */
  readonly shouldRetry?: boolean | undefined;
}

/** True for a failure instead of a value. */
export function isFailure(value: object): value is OpenAiFailure {
  return "status" in value && typeof value.status === "number" && "code" in value;
}

/**
 * Returns the failure of a request that is invalid.
 * @param code - stable code
 * @param message - problem and next step
 * @param param - parameter that the failure is about
 */
export function invalid(code: string, message: string, param?: string): OpenAiFailure {
  return { status: 400, type: "invalid_request_error", code, message, param };
}

/**
 * Responds to a request with an error.
 * @param context - context of the request
 * @param failure - problem and next step
 */
export function failWith(context: Context, failure: OpenAiFailure): Response {
  addRetryHeaders(context, failure);
  return context.json(errorBody(failure), failure.status);
}

/**
 * Tells a client in the headers of a response when it may try again, and whether it should.
 * @param context - context of the request
 * @param failure - problem and next step
 */
export function addRetryHeaders(
  context: Context,
  { retryAfterMs, shouldRetry }: Pick<OpenAiFailure, "retryAfterMs" | "shouldRetry">,
): void {
  if (retryAfterMs !== undefined) {
    context.header("Retry-After", String(Math.ceil(retryAfterMs / 1000)));
    context.header("Retry-After-Ms", String(Math.ceil(retryAfterMs)));
  }
  if (shouldRetry !== undefined) context.header("X-Should-Retry", String(shouldRetry));
}

/**
 * Returns the error for a request that failed: while the database is unavailable, that nothing was accepted
 * and that the caller may retry (SCALE-031); otherwise as {@link internalFailure}.
 * @param logger - receives the complete error
 */
export function requestFailure(error: unknown, logger: Logger): OpenAiFailure {
  if (!StoreUnavailableError.isInstance(error)) return internalFailure(error, logger);
  const { reason } = error;
  logger.error(error.message, { code: error.code });
  return {
    status: 503,
    type: "server_error",
    code: "store_unavailable",
    message: `the gateway's store is unavailable (${reason}); nothing was accepted, try again later`,
  };
}

/**
 * Returns the error for an internal failure: the ID of its log entry, and nothing of the failure (GW-021).
 * @param logger - receives the complete error
 */
export function internalFailure(error: unknown, logger: Logger): OpenAiFailure {
  const { message } = internalError(error, logger);
  return { status: 500, type: "server_error", code: "internal_error", message };
}

/**
 * Returns the body of an error, also for an event in a stream.
 * @param failure - problem and next step
 */
export function errorBody({ message, type, code, param }: OpenAiFailure): ApiErrorBody {
  return { error: { message, type, param: param ?? null, code } };
}
