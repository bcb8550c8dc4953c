import type { Context, MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { failWith } from "../openai/error.js";

/** Maximum size of a request body, in bytes (GW-017). */
export const MAXIMUM_BODY_BYTES = 1024 * 1024;

const limitCounted: MiddlewareHandler = bodyLimit({
  maxSize: MAXIMUM_BODY_BYTES,
  onError: refuseBody,
});

/**
 * Rejects bodies that are too large, and keeps accepted ones in memory (GW-017). A declared size is compared without
 * opening the body: Node reads no more than it, and a body that is opened as a stream is read more slowly.
 */
export const limitBody: MiddlewareHandler = async (context, next) => {
  const { req } = context;
  const isDeclared =
    req.header("content-length") !== undefined && req.header("transfer-encoding") === undefined;
  if (!isDeclared) return limitCounted(context, next);
  return refuseAnnouncedBody(context) ?? next();
};

/**
 * Rejects a body with a declared size above the limit, for handlers that read the body themselves. The body
 * is not read here, so one without a declared size is not limited.
 * @param context - context of the request
 * @returns the error response to a body that is declared as too large
 */
export function refuseAnnouncedBody(context: Context): Response | undefined {
  const length = Number(context.req.header("content-length") ?? 0);
  return length > MAXIMUM_BODY_BYTES ? refuseBody(context) : undefined;
}

function refuseBody(context: Context): Response {
  // The rest of the body is not read, so the connection cannot be reused.
  context.header("Connection", "close");
  return failWith(context, {
    status: 413,
    type: "invalid_request_error",
    code: "body_too_large",
    message: `the body is larger than ${MAXIMUM_BODY_BYTES} bytes`,
  });
}
