import { OpenClawError } from "@openclaw/foundation";

/** A client called a method that the gateway does not have. */
export class MethodNotFoundError extends OpenClawError {
  static override readonly code = "NOT_FOUND";
  static override readonly kind = "not-found";
  readonly method: string;

  /**
   * @param method - as it was called
   * @param known - names of the methods
   */
  constructor(method: string, known: readonly string[]) {
    super(`there is no method ${method}; there are ${known.join(", ")}`);
    this.method = method;
  }
}

/** The parameters of a method call are not those of the method. */
export class InvalidRequestError extends OpenClawError {
  static override readonly code = "INVALID_REQUEST";
  static override readonly kind = "invalid";
  readonly method: string;

  /**
   * @param method - its name
   * @param problem - which parameter, and what was expected
   */
  constructor(method: string, problem: string) {
    super(`${method}: ${problem}`);
    this.method = method;
  }
}

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
