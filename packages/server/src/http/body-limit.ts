import type { Context, MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { checkJsonDepth } from "../access/json-depth.js";
import type { AccessLimits } from "../access/limits.js";
import { PayloadTooLargeError } from "../errors.js";
import { errorResponse } from "./error-response.js";

/** Paths whose messages may contain images and files. */
const UPLOADS = new Set([
  "/api/v1/chat/send",
  "/v1/chat/completions",
  "/v1/messages",
  "/v1/messages/count_tokens",
  "/v1/responses",
]);

/** Limits of request bodies (GW-017). */
export interface BodyLimits {
  /** Maximum size in bytes. */
  readonly bytes: number;
  /** Middleware that rejects bodies that are too large, and keeps accepted ones in memory. */
  readonly whole: MiddlewareHandler;
  /** Middleware that rejects JSON that is nested too deeply. */
  readonly depth: MiddlewareHandler;
  /**
   * Rejects a body with a declared size above the limit, for handlers that read the body themselves. The body
   * is not read here, so one without a declared size is not limited.
   * @param context - context of the request
   * @returns the error response to a body that is declared as too large
   */
  refuseAnnounced(context: Context): Response | undefined;
}

/**
 * Creates the limits of request bodies.
 * @param limits - maximum size, the setting that it comes from, and depth
 */
export function bodyLimits({
  bodyBytes,
  jsonDepth,
  setting = "bodyBytes",
}: Pick<AccessLimits, "bodyBytes" | "jsonDepth"> & {
  readonly setting?: keyof AccessLimits;
}): BodyLimits {
  const refuseBody = (context: Context): Response => {
    // The rest of the body is not read, so the connection cannot be reused.
    context.header("Connection", "close");
    return errorResponse(
      context,
      new PayloadTooLargeError(
        `the body is larger than ${bodyBytes} bytes; send less, or raise gateway.limits.${setting}`,
      ),
    );
  };
  const refuseAnnounced = (context: Context): Response | undefined => {
    const length = Number(context.req.header("content-length") ?? 0);
    return length > bodyBytes ? refuseBody(context) : undefined;
  };
  const limitCounted = bodyLimit({ maxSize: bodyBytes, onError: refuseBody });
  return {
    bytes: bodyBytes,
    // A declared size is compared without opening the body: Node reads no more than it, and a body that is opened as a
    // stream is read more slowly.
    whole: async (context, next) => {
      const { req } = context;
      const isDeclared =
        req.header("content-length") !== undefined && req.header("transfer-encoding") === undefined;
      if (!isDeclared) return limitCounted(context, next);
      return refuseAnnounced(context) ?? next();
    },
    depth: async (context, next) => {
      if (["GET", "HEAD"].includes(context.req.method)) return next();
      checkJsonDepth(await context.req.text(), jsonDepth);
      return next();
    },
    refuseAnnounced,
  };
}

/**
 * Creates middleware that limits bodies, those of messages with images and files by the larger limit of uploads (GW-017).
 * @param limits - maximum sizes and depth
 */
export function uploadLimit(
  { uploadBytes, bodyBytes, jsonDepth }: AccessLimits,
  others: Pick<BodyLimits, "whole">,
): MiddlewareHandler {
  const largest = Math.max(uploadBytes, bodyBytes);
  const uploads = bodyLimits({ bodyBytes: largest, jsonDepth, setting: "uploadBytes" });
  return (context, next) => (UPLOADS.has(context.req.path) ? uploads : others).whole(context, next);
}
