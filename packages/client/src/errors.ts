const BRAND = Symbol.for("openclaw.GatewayClientError");

/** Why a call to a gateway failed. */
export type GatewayClientErrorCode =
  | "GATEWAY_UNREACHABLE"
  | "GATEWAY_UNAUTHORIZED"
  | "GATEWAY_REFUSED"
  | "GATEWAY_STREAM_BROKEN";

/**
 * A call to a gateway failed; `code` says how, `status` is the HTTP status where there was one, `reason`
 * the gateway's own code for what it refused, for example `PLUGIN_NOT_FOUND`.
 */
export class GatewayClientError extends Error {
  readonly code: GatewayClientErrorCode;
  readonly status: number | undefined;
  readonly reason: string | undefined;

  constructor(
    code: GatewayClientErrorCode,
    message: string,
    options: { status?: number; reason?: string; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = "GatewayClientError";
    this.code = code;
    this.status = options.status;
    this.reason = options.reason;
    Object.defineProperty(this, BRAND, { value: true });
  }

  /**
   * Whether a value is this error, whichever copy of the package made it.
   * @param value - anything that was thrown
   */
  static isInstance(value: unknown): value is GatewayClientError {
    return typeof value === "object" && value !== null && BRAND in value;
  }
}
