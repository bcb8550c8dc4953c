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
