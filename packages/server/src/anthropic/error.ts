import type { MessageErrorBody } from "@openclaw/protocol/anthropic";
import type { Context } from "hono";
import { requestHeader } from "../http/request-header.js";
import { addRetryHeaders, type OpenAiFailure } from "../openai/error.js";

/** Header that every client of the Messages API sends. */
const VERSION_HEADER = "anthropic-version";

/**
 * Returns true for a request of a client of the Messages API: to its routes, or with the header of its version.
 * @param context - context of the request
 */
export function isAnthropicRequest(context: Context): boolean {
  return (
    /^\/v1\/messages(?:\/|$)/.test(context.req.path) ||
    (context.req.path.startsWith("/v1/") && requestHeader(context, VERSION_HEADER) !== undefined)
  );
}

/**
 * Responds to a request with an error in the form of the Messages API.
 * @param context - context of the request
 * @param failure - problem and next step
 */
export function failWithAnthropic(context: Context, failure: OpenAiFailure): Response {
  addRetryHeaders(context, failure);
  return context.json(anthropicError(failure), failure.status);
}

/**
 * Returns the body of an error, also for an event in a stream.
 * @param failure - problem and next step
 */
export function anthropicError({ status, message, code }: OpenAiFailure): MessageErrorBody {
  return { type: "error", error: { type: typeOf(status), message, code } };
}

/** Returns the type that the API has for a status. */
function typeOf(status: number): string {
  switch (status) {
    case 401:
      return "authentication_error";
    case 403:
      return "permission_error";
    case 404:
      return "not_found_error";
    case 413:
      return "request_too_large";
    case 429:
      return "rate_limit_error";
    case 503:
      return "overloaded_error";
    case 504:
      return "timeout_error";
    default:
      return status < 500 && status !== 424 ? "invalid_request_error" : "api_error";
  }
}
