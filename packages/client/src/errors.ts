import {
  type ErrorKind,
  OpenClawError,
  type OpenClawErrorOptions,
} from "@openclaw/foundation/errors";

/** Options of {@link GatewayClientError}. */
export interface GatewayClientErrorOptions extends OpenClawErrorOptions {
  /** HTTP status, if there was a response. */
  readonly status?: number | undefined;
}

/** A call to a gateway failed; `status` is the HTTP status, if there was a response. */
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

/**
 * The gateway rejected a request. `code`, `kind` and message are those of the error in the gateway, for
 * example `PLUGIN_NOT_FOUND`; without a code in the response, `code` is `GATEWAY_REFUSED`.
 */
export class GatewayRefusedError extends GatewayClientError {
  static override readonly code = "GATEWAY_REFUSED";
}

/** A streamed reply ended before it was complete, or could not be parsed. */
export class GatewayStreamError extends GatewayClientError {
  static override readonly code = "GATEWAY_STREAM_BROKEN";
}
