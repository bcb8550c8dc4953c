import { isErrorKind, kindOfHttpStatus } from "@openclaw/foundation/errors";
import { WIRE_ERROR_CODES } from "@openclaw/protocol";
import {
  type GatewayClientError,
  GatewayRefusedError,
  GatewayUnauthorizedError,
} from "./errors.js";

/**
 * Returns the error of a call that a gateway rejected, for HTTP, WebSocket and event streams alike.
 * @param error - `error` of the response, which may be of any form when another program responds
 * @param source - URL of the gateway, and the HTTP status if there is one
 */
export function refusalOf(
  error: unknown,
  { url, status }: { readonly url: string; readonly status?: number | undefined },
): GatewayClientError {
  const {
    message,
    reason: code,
    kind,
    code: wire,
    details,
    requestId,
    retryable,
    retryAfterMs,
  } = fields(error);
  const wireCode = WIRE_ERROR_CODES.find((each) => each === wire);
  if (status === 401 || (status === undefined && wireCode === "UNAUTHORIZED")) {
    const advice = "use the one in gateway.token of its state folder";
    return new GatewayUnauthorizedError(
      typeof code === "string" && typeof message === "string"
        ? `the gateway at ${url} rejected the request: ${message}`
        : `the gateway at ${url} does not accept this token; ${advice}`,
      { status },
    );
  }
  const reason = typeof message === "string" ? message : `status ${status ?? "unknown"}`;
  const options = {
    status,
    wireCode,
    details: isRecord(details) ? details : undefined,
    requestId: typeof requestId === "string" ? requestId : undefined,
    retryable: retryable === true,
    retryAfterMs: typeof retryAfterMs === "number" ? retryAfterMs : undefined,
  };
  // The client passes on an error of the OpenClaw family as it was in the gateway.
  if (typeof code === "string" && isErrorKind(kind)) {
    return new GatewayRefusedError(reason, { ...options, code, kind });
  }
  return new GatewayRefusedError(`the gateway rejected the request: ${reason}`, {
    ...options,
    kind: status === undefined ? undefined : kindOfHttpStatus(status),
  });
}

/**
 * Returns the error of an HTTP response that is not a success.
 * @param response - response whose body has not been read
 * @param url - URL of the gateway
 */
export async function refusalOfResponse(
  response: Response,
  url: string,
): Promise<GatewayClientError> {
  // A response that is not JSON has no information except its status.
  const body: unknown = await response.json().catch(() => undefined);
  return refusalOf(isRecord(body) ? body.error : undefined, { url, status: response.status });
}

function fields(error: unknown): Readonly<Record<string, unknown>> {
  return isRecord(error) ? error : {};
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
