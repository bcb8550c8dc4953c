import { randomUUID } from "node:crypto";
import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { httpStatusOf, type OpenClawError } from "@openclaw/foundation";
import type { WireErrorBody } from "@openclaw/protocol";
import { ProtocolError, wireErrorOf } from "@openclaw/protocol/registry";
import { SECURITY_HEADERS } from "./gateway-response.js";

/** Time in milliseconds in which a rejected client can read the response. */
const READING_MS = 1000;

/**
 * Responds with an error on a socket that has no response object: a connection that is not accepted, a request that is
 * not HTTP, or an upgrade that is rejected. Then closes the connection.
 * @param socket - connection
 * @param error - reason
 * @param status - status when it does not follow from the error
 */
export function refuse(
  socket: Duplex,
  error: OpenClawError,
  status: number = httpStatusOf(error),
): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const body: WireErrorBody = { error: wireErrorOf(error) };
  const text = JSON.stringify(body);
  const headers = {
    "Content-Type": "application/json",
    "Content-Length": String(Buffer.byteLength(text)),
    "Cache-Control": "no-store",
    Connection: "close",
    ...SECURITY_HEADERS,
    "X-Request-Id": randomUUID(),
    ...retryAfter(error),
  };
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n${head.join("")}\r\n${text}`);
  // Closing at once would discard what the client has not read yet.
  const timer = setTimeout(() => socket.destroy(), READING_MS);
  timer.unref();
  socket.once("close", () => clearTimeout(timer));
}

/**
 * Returns the header `Retry-After` of an error, if it has a time.
 * @param error - reason of a failed request
 */
export function retryAfter(error: OpenClawError): { readonly "Retry-After"?: string } {
  if (!ProtocolError.isInstance(error) || error.retryAfterMs === undefined) return {};
  return { "Retry-After": String(Math.ceil(error.retryAfterMs / 1000)) };
}
