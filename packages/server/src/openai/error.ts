import type { Logger } from "@openclaw/plugin-sdk";
import type { ApiErrorBody } from "@openclaw/protocol";
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
    | "server_error"
    | "not_found_error"
    | "rate_limit_error";
  readonly code: string;
  readonly message: string;
}

/**
 * Responds to a request with an error.
 * @param context - context of the request
 * @param failure - problem and next step
 */
export function failWith(context: Context, failure: OpenAiFailure): Response {
  return context.json(errorBody(failure), failure.status);
}

/**
 * Returns the error for a request that failed: while the database is unavailable, that nothing was accepted
 * and that the caller may retry (SCALE-031); otherwise as {@link internalFailure}.
 * @param error - thrown value
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
 * @param error - thrown value
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
export function errorBody({ message, type, code }: OpenAiFailure): ApiErrorBody {
  return { error: { message, type, param: null, code } };
}
