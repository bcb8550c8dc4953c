import { type ErrorKind, isErrorKind, OpenClawError, startOfText } from "@openclaw/foundation";
import type { WireError } from "@openclaw/protocol";
import { ProtocolError } from "@openclaw/protocol/registry";

/** The host failed unexpectedly; only its log contains the cause (GW-021). */
export class InternalError extends OpenClawError {
  static override readonly code = "INTERNAL";
  static override readonly kind = "internal";
  /** ID of the log entry with the cause. */
  readonly errorId: string;

  constructor(errorId: string) {
    super(`internal error; see the gateway's log for ${errorId}`);
    this.errorId = errorId;
  }
}

const UNKNOWN_OUTCOMES = {
  stopped: "the gateway stopped during the first call, so it may have had an effect or none",
  oversized: "the call was executed, and its outcome was too large to keep",
  erased: "the call was executed, and its outcome was erased with the conversation that it names",
} as const;

/** The first call with an idempotency key may have had an effect, and its outcome is not known (GW-022). */
export class CallOutcomeUnknownError extends OpenClawError {
  static override readonly code = "CALL_OUTCOME_UNKNOWN";
  static override readonly kind = "conflict";

  /**
   * @param key - idempotency key of the call
   * @param method - name of the method
   * @param reason - `stopped`: the gateway stopped during the call; `oversized`: the outcome was too large to keep;
   * `erased`: a text that it may contain was deleted
   */
  constructor(key: string, method: string, reason: keyof typeof UNKNOWN_OUTCOMES) {
    super(
      `the outcome of the call of ${method} with the idempotency key "${key}" is unknown: ${UNKNOWN_OUTCOMES[reason]}; read the state, and repeat the call with a new key if it is needed`,
    );
  }
}

/** A gateway method of a plugin responded with a failure (GW-030). */
export class PluginMethodFailedError extends ProtocolError {
  static override readonly code: string = "PLUGIN_METHOD_FAILED";
  static override readonly kind: ErrorKind = "unavailable";
}

/** A gateway method of a plugin did not respond within its time (GW-030). */
export class PluginMethodTimeoutError extends OpenClawError {
  static override readonly code = "PLUGIN_METHOD_TIMEOUT";
  static override readonly kind = "timeout";

  /**
   * @param method - name of the method
   * @param pluginId - plugin that it belongs to
   * @param timeoutMs - time of the call in milliseconds
   */
  constructor(method: string, pluginId: string, timeoutMs: number) {
    super(
      `method ${method} of plugin "${pluginId}" did not respond within ${timeoutMs} ms; it may still be running, so check its effect before another call`,
    );
  }
}

/** A call of a plugin's gateway method ended before the method responded (GW-030). */
export class PluginMethodAbortedError extends OpenClawError {
  static override readonly code = "PLUGIN_METHOD_ABORTED";
  static override readonly kind = "unavailable";

  /**
   * @param method - name of the method
   * @param pluginId - plugin that it belongs to
   * @param reason - end of the sentence "because …"
   */
  constructor(method: string, pluginId: string, reason: string) {
    super(
      `the call of method ${method} of plugin "${pluginId}" was aborted because ${reason}; check its effect before another call`,
    );
  }
}

/** A frame is not a frame of the protocol (GW-019). */
export class InvalidFrameError extends OpenClawError {
  static override readonly code = "INVALID_FRAME";
  static override readonly kind = "invalid";

  /** @param message - problem and expected form */
  constructor(message: string) {
    super(message);
  }
}

/** A client reads its events too slowly and is disconnected (GW-018, CHAN-029). */
export class SlowClientError extends ProtocolError {
  static override readonly code = "CLIENT_TOO_SLOW";
  static override readonly kind = "unavailable";

  constructor() {
    super(
      "the client reads its events too slowly and was disconnected; connect again with the cursor of the last event, and read faster or subscribe to less",
    );
  }
}

/** A client did not complete the handshake of a connection (GW-020). */
export class HandshakeError extends OpenClawError {
  static override readonly code = "HANDSHAKE_FAILED";
  static override readonly kind = "unauthenticated";

  /** @param message - missing step */
  constructor(message: string) {
    super(message);
  }
}

/** Client and gateway have no version of the protocol in common (GW-020). */
export class UnsupportedProtocolError extends ProtocolError {
  static override readonly code = "UNSUPPORTED_PROTOCOL";
  static override readonly kind = "invalid";
  static override readonly surface = { wireCode: "UNSUPPORTED_PROTOCOL" } as const;

  /**
   * @param client - versions of the client
   * @param gateway - versions of the gateway
   */
  constructor(client: VersionRange, gateway: VersionRange) {
    super(
      `the client speaks the protocol versions ${client.min} to ${client.max}, the gateway ${gateway.min} to ${gateway.max}; update the older one`,
      { details: { client: { ...client }, gateway: { ...gateway } } },
    );
  }
}

/** A repeated call failed in the same way as the first call with its idempotency key (GW-022). */
export class KeptFailureError extends ProtocolError {
  static override readonly code = "KEPT_FAILURE";

  /** @param error - error of the first call, in its form on the wire */
  constructor({ message, reason, kind, details, retryable, retryAfterMs }: WireError) {
    super(message, {
      code: reason,
      kind: isErrorKind(kind) ? kind : "internal",
      details,
      retryable,
      retryAfterMs,
    });
  }
}

/** A method was called with an HTTP method that it is not served to (GW-033). */
export class HttpMethodError extends ProtocolError {
  static override readonly code = "HTTP_METHOD_NOT_ALLOWED";
  static override readonly kind = "invalid";

  /**
   * @param used - HTTP method of the request
   * @param method - name of the method
   * @param allowed - HTTP methods that it is served to
   */
  constructor(used: string, method: string, allowed: readonly string[]) {
    super(`${method} is not served to ${used}; use ${allowed.join(" or ")}`, {
      details: { allowed },
    });
  }
}

/** Versions of the protocol. */
export interface VersionRange {
  readonly min: number;
  readonly max: number;
}

/** The gateway stops and accepts no more clients. */
export class GatewayStoppingError extends OpenClawError {
  static override readonly code = "GATEWAY_STOPPING";
  static override readonly kind = "unavailable";

  constructor() {
    super("the gateway stops; connect again later");
  }
}

/** A connection has too many open calls (GW-017). */
export class TooManyCallsError extends ProtocolError {
  static override readonly code = "TOO_MANY_CALLS";
  static override readonly kind = "rate-limited";

  /**
   * @param limit - maximum number of open calls
   * @param retryAfterMs - time in milliseconds before a retry can succeed
   */
  constructor(limit: number, retryAfterMs: number) {
    super(`the connection has ${limit} open calls; wait for a response before the next call`, {
      retryAfterMs,
    });
  }
}

/** Another program listens on the gateway's port. */
export class PortTakenError extends OpenClawError {
  static override readonly code = "PORT_TAKEN";
  static override readonly kind = "busy";
  readonly port: number;

  constructor(host: string, port: number, cause?: unknown) {
    super(
      `port ${port} on ${host} is in use by another program; ` +
        "choose another with gateway.port, --port or OPENCLAW_PORT, or stop that program",
      { cause },
    );
    this.port = port;
  }
}

/** Reason why a caller is not authenticated. */
export type UnauthorizedReason =
  | "missing-token"
  | "wrong-token"
  | "expired-token"
  | "expired-session"
  | "token-in-url"
  | "wrong-ticket";

const MESSAGES: { readonly [Reason in UnauthorizedReason]: string } = {
  "missing-token":
    "this request has no token; send the gateway's token as `Authorization: Bearer <token>`; it is stored in gateway.token of the state folder",
  "wrong-token":
    "the gateway does not know this token; use the token in gateway.token of the state folder, or a token of gateway.auth.tokens",
  "expired-token":
    "this token has expired; create another with `openclaw gateway token create`, or use another token",
  "expired-session":
    "this session has ended, because a session lasts 12 hours; sign in again, for example with `openclaw console`",
  "token-in-url":
    "a token in a URL is rejected, because URLs are stored in logs and histories; send it as `Authorization: Bearer <token>`, or use a ticket from auth.ticket where a header is not possible",
  "wrong-ticket":
    "this ticket is unknown, used or older than 60 s; request another with auth.ticket or `openclaw console`",
};

/** A caller did not prove who it is (GW-013, GW-014). */
export class UnauthorizedError extends ProtocolError {
  static override readonly code = "UNAUTHORIZED";
  static override readonly kind = "unauthenticated";
  readonly reason: UnauthorizedReason;

  /** @param reason - problem of the token */
  constructor(reason: UnauthorizedReason) {
    super(MESSAGES[reason], { details: { reason } });
    this.reason = reason;
  }
}

/** A client made too many calls or too many failed attempts to authenticate (GW-016). */
export class RateLimitedError extends ProtocolError {
  static override readonly code = "RATE_LIMITED";
  static override readonly kind = "rate-limited";

  /**
   * @param problem - limit that was reached
   * @param retryAfterMs - time in milliseconds before a retry can succeed
   * @param remedy - other next step, for the operator
   */
  constructor(problem: string, retryAfterMs: number, remedy?: string) {
    const wait = Math.max(1, Math.ceil(retryAfterMs));
    const or = remedy === undefined ? "" : `, or ${remedy}`;
    super(`${problem}; try again in ${Math.ceil(wait / 1000)} s${or}`, { retryAfterMs: wait });
  }
}

/** A request names a host or comes from a web page that the gateway does not serve (GW-015). */
export class ForeignRequestError extends ProtocolError {
  static override readonly code: string = "FOREIGN_REQUEST";
  static override readonly kind = "forbidden";

  /**
   * @param header - header with the rejected value
   * @param value - value of the header
   */
  constructor(header: "Host" | "Origin", value: string) {
    const shown = JSON.stringify(startOfText(value, 200));
    super(
      header === "Host"
        ? `the gateway does not serve the host ${shown}; use a loopback name, or add the host to gateway.trustedHosts`
        : `the gateway does not accept requests of pages from ${shown}; add the origin to gateway.allowedOrigins`,
      { details: { header: header.toLowerCase() } },
    );
  }
}

/** A body or a frame exceeds a limit (GW-017). */
export class PayloadTooLargeError extends ProtocolError {
  static override readonly code = "PAYLOAD_TOO_LARGE";
  static override readonly kind = "too-large";

  /** @param problem - limit that is exceeded, with its value and key */
  constructor(problem: string) {
    super(problem);
  }
}

/** The gateway cannot listen where the configuration says (GW-013). */
export class ListenAddressError extends OpenClawError {
  static override readonly code = "LISTEN_ADDRESS_UNUSABLE";
  static override readonly kind = "configuration";

  /**
   * @param address - address to listen on
   * @param problem - reason, and the next step
   * @param cause - error of the system
   */
  constructor(address: string, problem: string, cause?: unknown) {
    super(`cannot listen on ${address}: ${problem}`, { cause });
  }
}

/** A request is not valid HTTP, or its target could mean different paths (GW-042). */
export class InvalidHttpError extends OpenClawError {
  static override readonly code = "HTTP_INVALID";
  static override readonly kind = "invalid";
}

/** A client sends a request too slowly (GW-017). */
export class RequestTimeoutError extends OpenClawError {
  static override readonly code = "REQUEST_TIMEOUT";
  static override readonly kind = "timeout";

  constructor() {
    super(
      "the request did not arrive in time (gateway.limits.headerTimeoutMs, gateway.limits.requestTimeoutMs); send it faster, or raise the limit",
    );
  }
}
