import { OpenClawError } from "@openclaw/foundation";

/** The host failed in a way that it did not expect; only its log says how (GW-021). */
export class InternalError extends OpenClawError {
  static override readonly code = "INTERNAL";
  static override readonly kind = "internal";
  /** ID under which the log has the cause. */
  readonly errorId: string;

  constructor(errorId: string) {
    super(`the gateway could not answer; its log tells why under ${errorId}`);
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
      `port ${port} on ${host} is taken by another program; ` +
        "choose another with --port or OPENCLAW_PORT, or stop that program",
      { cause },
    );
    this.port = port;
  }
}
