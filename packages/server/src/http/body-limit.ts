import type { Context, MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { failWith } from "../openai/error.js";

const MAXIMUM_BODY_BYTES = 1024 * 1024;

/** Refuses bodies that are too large, and holds what it lets through in memory (GW-017). */
export const limitBody: MiddlewareHandler = bodyLimit({
  maxSize: MAXIMUM_BODY_BYTES,
  onError: refuseBody,
});

/**
 * As `limitBody`, for who reads the body itself: nothing of it is read here, so one without a length is
 * not bounded.
 * @param context - the request
 * @returns the refusal of a body that is announced as too large
 */
export function refuseAnnouncedBody(context: Context): Response | undefined {
  const length = Number(context.req.header("content-length") ?? 0);
  return length > MAXIMUM_BODY_BYTES ? refuseBody(context) : undefined;
}

function refuseBody(context: Context): Response {
  // The rest of the body is not read, so nothing else can come over this connection.
  context.header("Connection", "close");
  return failWith(context, {
    status: 413,
    type: "invalid_request_error",
    code: "body_too_large",
    message: `the body is larger than ${MAXIMUM_BODY_BYTES} bytes`,
  });
}
