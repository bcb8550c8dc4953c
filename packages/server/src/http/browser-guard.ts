import type { MiddlewareHandler } from "hono";
import type { GatewayAccess } from "../access/access.js";
import { ForeignRequestError } from "../errors.js";
import type { HttpEnvironment } from "./authentication.js";
import { checkRequestTarget } from "./request-target.js";

/** Methods that change nothing, which a page of another origin may send without being able to read the response. */
const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD"]);

/** Headers that allow a page of an allowed origin to send any request of the API. */
const PREFLIGHT_HEADERS = {
  "Access-Control-Allow-Methods": "GET, HEAD, POST, PUT, PATCH, DELETE",
  "Access-Control-Allow-Headers":
    "authorization, content-type, idempotency-key, last-event-id, x-openclaw-session-key, x-openclaw-model, x-openclaw-approver, x-api-key, anthropic-version, anthropic-beta, anthropic-dangerous-direct-browser-access, mcp-protocol-version, mcp-method, mcp-name, mcp-session-id",
  "Access-Control-Max-Age": "600",
} as const;
const EXPOSED_HEADERS =
  "X-Request-Id, Retry-After, RateLimit, RateLimit-Policy, X-OpenClaw-Session-Key, OpenClaw-Ignored, OpenClaw-Model";

/**
 * Creates the first middleware of a gateway: it rejects ambiguous paths, foreign hosts and the pages of foreign origins
 * (GW-015, GW-042), and lets the pages of allowed origins read responses.
 * @param access - hosts and origins
 */
export function browserGuard({
  origins,
}: Pick<GatewayAccess, "origins">): MiddlewareHandler<HttpEnvironment> {
  return async (context, next) => {
    const { incoming, outgoing } = context.env;
    const { method = "GET" } = incoming;
    const { origin } = incoming.headers;
    checkRequestTarget(incoming);
    origins.checkHost(incoming);
    if (!SAFE_METHODS.has(method)) origins.checkOrigin(incoming);
    if (origin === undefined) return next();
    outgoing.setHeader("Vary", "Origin");
    if (!origins.allows(origin, incoming)) {
      if (method === "OPTIONS") throw new ForeignRequestError("Origin", origin);
      return next();
    }
    outgoing.setHeader("Access-Control-Allow-Origin", origin);
    outgoing.setHeader("Access-Control-Expose-Headers", EXPOSED_HEADERS);
    const isPreflight =
      method === "OPTIONS" && incoming.headers["access-control-request-method"] !== undefined;
    return isPreflight ? context.body(null, 204, PREFLIGHT_HEADERS) : next();
  };
}
