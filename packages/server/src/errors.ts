import { OpenClawError } from "@openclaw/foundation";

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

/** An idempotency key was used again for another call (GW-022). */
export class IdempotencyMismatchError extends OpenClawError {
  static override readonly code = "IDEMPOTENCY_MISMATCH";
  static override readonly kind = "conflict";
  static override readonly surface = { wireCode: "IDEMPOTENCY_MISMATCH" } as const;

  /**
   * @param key - idempotency key of the call
   * @param method - method of the first call with this key
   */
  constructor(key: string, method: string) {
    super(
      `the idempotency key "${key}" was used for a call of ${method} with other parameters; use a new key for a new call`,
    );
  }
}

/** Another program listens on the gateway's port. */
export class PortTakenError extends OpenClawError {
  static override readonly code = "PORT_TAKEN";
  static override readonly kind = "busy";
  readonly port: number;

  constructor(host: string, port: number, cause?: unknown) {
    super(
      `port ${port} on ${host} is in use by another program;  ` +
        "choose another with --port or OPENCLAW_PORT, or stop that program",
      { cause },
    );
    this.port = port;
  }
}
