import { randomUUID } from "node:crypto";
import {
  type IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
  ServerResponse,
} from "node:http";
import type { ServedOrigins } from "../access/served-origins.js";

type GivenHeaders = OutgoingHttpHeaders | OutgoingHttpHeader[] | undefined;

/** Headers of every response (GW-042, CHAN-030). */
export const SECURITY_HEADERS = {
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "no-referrer",
} as const;

/** Paths of plugin panels, which the gateway's own pages show in a frame. */
const PANEL = /^\/plugins\/[^/?]+\/ui(?:[/?]|$)/;

/**
 * Creates the class of a server's responses. The headers are set when the head of a response is written, so that the
 * code of a plugin, which has the response, cannot omit or remove them.
 * @param origins - origins whose pages may read responses
 */
export function gatewayResponseClass(
  origins: Pick<ServedOrigins, "allows">,
): typeof ServerResponse {
  return class GatewayResponse<
    Request extends IncomingMessage = IncomingMessage,
  > extends ServerResponse<Request> {
    /** ID of the request, in the response and in the log. */
    readonly requestId = randomUUID();

    override writeHead(status: number, reason?: string | GivenHeaders, headers?: GivenHeaders) {
      addHeaders(this, typeof reason === "string" ? headers : reason);
      secure(this, this.requestId, origins);
      return typeof reason === "string" ? super.writeHead(status, reason) : super.writeHead(status);
    }
  };
}

/**
 * Returns the ID of the request that a response belongs to.
 * @param response - response of the gateway's server
 * @returns undefined for a response of another server
 */
export function requestIdOf(response: ServerResponse): string | undefined {
  return "requestId" in response && typeof response.requestId === "string"
    ? response.requestId
    : undefined;
}

function addHeaders(response: ServerResponse, headers: GivenHeaders): void {
  if (headers === undefined) return;
  if (!Array.isArray(headers)) {
    for (const [name, value] of Object.entries(headers)) {
      if (value !== undefined) response.setHeader(name, value);
    }
    return;
  }
  // Names and values alternate; a name may occur again.
  const seen = new Set<string>();
  for (let index = 0; index + 1 < headers.length; index += 2) {
    const name = String(headers[index]);
    const value = headers[index + 1];
    const values = Array.isArray(value) ? value : [String(value)];
    if (seen.has(name.toLowerCase())) response.appendHeader(name, values);
    else response.setHeader(name, values);
    seen.add(name.toLowerCase());
  }
}

function secure(
  response: ServerResponse,
  requestId: string,
  origins: Pick<ServedOrigins, "allows">,
): void {
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.setHeader(name, value);
  const isPanel = PANEL.test(response.req.url ?? "");
  if (isPanel) response.setHeader("X-Frame-Options", "SAMEORIGIN");
  if (!response.hasHeader("content-security-policy")) {
    response.setHeader("Content-Security-Policy", contentPolicy(isPanel));
  }
  response.setHeader("X-Request-Id", requestId);
  const type = String(response.getHeader("content-type") ?? "");
  const isJson = /^[^;]*[/+]json\b/i.test(type);
  if (isJson || !response.hasHeader("cache-control")) {
    response.setHeader("Cache-Control", "no-store");
  }
  const origin = response.getHeader("access-control-allow-origin");
  // The page of a panel has an origin without a name.
  if (isPanel && origin === "null") return;
  if (origin !== undefined && !origins.allows(String(origin), response.req)) {
    response.removeHeader("access-control-allow-origin");
    response.removeHeader("access-control-allow-credentials");
  }
}

/** Returns the policy of a page without one: scripts and styles of the gateway only, and none inline. */
function contentPolicy(isPanel: boolean): string {
  return [
    "default-src 'self'",
    "img-src 'self' data:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${isPanel ? "'self'" : "'none'"}`,
  ].join("; ");
}
