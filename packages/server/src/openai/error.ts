import type { Logger } from "@openclaw/plugin-sdk";
import type { ApiErrorBody } from "@openclaw/protocol";
import { StoreUnavailableError } from "@openclaw/store/errors";
import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { internalError } from "../http/internal-error.js";

/** A failed request in the shape that OpenAI clients read. */
export interface OpenAiFailure {
  readonly status: ContentfulStatusCode;
  readonly type:
    | "invalid_request_error"
    | "authentication_error"
    | "server_error"
    | "not_found_error";
  readonly code: string;
  readonly message: string;
}

/**
 * Answers a request with an error.
 * @param context - the request
 * @param failure - what is wrong and what to do
 */
export function failWith(context: Context, failure: OpenAiFailure): Response {
  return context.json(errorBody(failure), failure.status);
}

/**
 * What a caller is told of a request that could not be carried out: while the database is not there,
 * that nothing was taken in and that it may be tried again (SCALE-031); else as {@link internalFailure}.
 * @param error - what was thrown
 * @param logger - where it is told whole
 */
export function requestFailure(error: unknown, logger: Logger): OpenAiFailure {
  if (!StoreUnavailableError.isInstance(error)) return internalFailure(error, logger);
  const { reason } = error;
  logger.error(error.message, { code: error.code });
  return {
    status: 503,
    type: "server_error",
    code: "store_unavailable",
    message: `the gateway cannot store anything at the moment (${reason}), and took nothing in; try again later`,
  };
}

/**
 * What a caller is told of a fault of the host itself: an id that is in the log, and nothing of the
 * fault (GW-021).
 * @param error - what was thrown
 * @param logger - where it is told whole
 */
export function internalFailure(error: unknown, logger: Logger): OpenAiFailure {
  const { message } = internalError(error, logger);
  return { status: 500, type: "server_error", code: "internal_error", message };
}

/**
 * Body of an error, also for an event inside a stream.
 * @param failure - what is wrong and what to do
 */
export function errorBody({ message, type, code }: OpenAiFailure): ApiErrorBody {
  return { error: { message, type, param: null, code } };
}
