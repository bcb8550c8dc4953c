import {
  type ErrorKind,
  OpenClawError,
  type OpenClawErrorOptions,
} from "@openclaw/foundation/errors";
import type { WireErrorCode } from "@openclaw/protocol";

/** Options of {@link GatewayClientError}. */
export interface GatewayClientErrorOptions extends OpenClawErrorOptions {
  /** HTTP status, if there was an HTTP response. */
  readonly status?: number | undefined;
}

/** A call to a gateway failed; `status` is the HTTP status, if there was an HTTP response. */
export class GatewayClientError extends OpenClawError {
  static override readonly code: string = "GATEWAY_CLIENT";
  static override readonly kind: ErrorKind = "unavailable";
  readonly status: number | undefined;

  constructor(message: string, options: GatewayClientErrorOptions = {}) {
    super(message, options);
    this.status = options.status;
  }
}

/** No gateway responds at the URL. */
export class GatewayUnreachableError extends GatewayClientError {
  static override readonly code = "GATEWAY_UNREACHABLE";
  // Scripts start a gateway when they see this exit code; no other error has it.
  static override readonly surface = { exitCode: 69 } as const;
}

/** The gateway does not accept the token. */
export class GatewayUnauthorizedError extends GatewayClientError {
  static override readonly code = "GATEWAY_UNAUTHORIZED";
  static override readonly kind = "unauthenticated";
}

/** Options of {@link GatewayRefusedError}. */
export interface GatewayRefusedErrorOptions extends GatewayClientErrorOptions {
  /** Code on the wire, which decides how a client reacts (GW-021). */
  readonly wireCode?: WireErrorCode | undefined;
  /** Data about the error, for example the `missingScope`. */
  readonly details?: Readonly<Record<string, unknown>> | undefined;
  /** ID of the request in the log of the gateway. */
  readonly requestId?: string | undefined;
  /** True if the same request may succeed later. */
  readonly retryable?: boolean | undefined;
  /** Time in milliseconds before a retry can succeed. */
  readonly retryAfterMs?: number | undefined;
}

/**
 * The gateway rejected a request. `code`, `kind` and message are those of the error in the gateway, for
 * example `PLUGIN_NOT_FOUND`; without a code in the response, `code` is `GATEWAY_REFUSED`.
 */
export class GatewayRefusedError extends GatewayClientError {
  static override readonly code = "GATEWAY_REFUSED";
  readonly wireCode: WireErrorCode | undefined;
  readonly details: Readonly<Record<string, unknown>> | undefined;
  readonly requestId: string | undefined;
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;

  constructor(message: string, options: GatewayRefusedErrorOptions = {}) {
    super(message, options);
    this.wireCode = options.wireCode;
    this.details = options.details;
    this.requestId = options.requestId;
    this.retryable = options.retryable === true;
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** A stream or a connection ended before it was complete, or sent something that is not of the protocol. */
export class GatewayStreamError extends GatewayClientError {
  static override readonly code = "GATEWAY_STREAM_BROKEN";
}

/** The gateway did not respond to a call in time. The call may still have an effect. */
export class GatewayTimeoutError extends GatewayClientError {
  static override readonly code = "GATEWAY_TIMEOUT";
  static override readonly kind = "timeout";
}

/** The key of a device cannot be read, created or used. */
export class DeviceKeyError extends GatewayClientError {
  static override readonly code = "DEVICE_KEY_UNUSABLE";
  static override readonly kind = "configuration";
}

/** Too many calls or events wait in the client. */
export class GatewayOverloadError extends GatewayClientError {
  static override readonly code = "GATEWAY_CLIENT_OVERLOAD";
  static override readonly kind = "busy";
}

/** The connection was closed by the client. */
export class GatewayClosedError extends GatewayClientError {
  static override readonly code = "GATEWAY_CONNECTION_CLOSED";
}

/** A request is larger than the gateway accepts. */
export class GatewayRequestTooLargeError extends GatewayClientError {
  static override readonly code = "GATEWAY_REQUEST_TOO_LARGE";
  static override readonly kind = "too-large";
}
