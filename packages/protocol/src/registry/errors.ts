import { OpenClawError, type OpenClawErrorOptions } from "@openclaw/foundation";
import type { MethodScope } from "../definition/scope.js";
import type { ParameterIssue } from "./parameter-issue.js";

/** Data that an error has on the wire in addition to its message. */
export interface ProtocolErrorOptions extends OpenClawErrorOptions {
  /** JSON value that clients read, for example the invalid parameters. */
  readonly details?: Readonly<Record<string, unknown>> | undefined;
  /** Time in milliseconds before a retry can succeed. */
  readonly retryAfterMs?: number | undefined;
  /** True if the same call may succeed later; follows from the kind when absent. */
  readonly retryable?: boolean | undefined;
}

/** A call failed with data for the client. */
export class ProtocolError extends OpenClawError {
  static override readonly code: string = "PROTOCOL";
  readonly details: Readonly<Record<string, unknown>> | undefined;
  readonly retryAfterMs: number | undefined;
  readonly retryable: boolean | undefined;

  /**
   * @param message - problem and next step
   * @param options - data for the client
   */
  constructor(message: string, options: ProtocolErrorOptions = {}) {
    super(message, options);
    this.details = options.details;
    this.retryAfterMs = options.retryAfterMs;
    this.retryable = options.retryable;
  }
}

/** A client called a method that the gateway does not have. */
export class MethodNotFoundError extends OpenClawError {
  static override readonly code = "NOT_FOUND";
  static override readonly kind = "not-found";
  readonly method: string;

  /**
   * @param method - name that was called
   * @param nearest - similar name of a method, if there is one
   */
  constructor(method: string, nearest: string | undefined) {
    const suggestion = nearest === undefined ? "" : `; did you mean ${nearest}?`;
    super(`method ${method} not found${suggestion}`);
    this.method = method;
  }
}

/** The parameters of a method call do not match the method's schema. */
export class InvalidRequestError extends ProtocolError {
  static override readonly code = "INVALID_REQUEST";
  static override readonly kind = "invalid";
  readonly method: string;
  /** Invalid parameters, at most five (GW-021). */
  readonly issues: readonly ParameterIssue[];

  /** @param issues - invalid parameters with the reasons */
  constructor(method: string, issues: readonly ParameterIssue[]) {
    const problems = issues.map(({ path, message }) => `${path} ${message}`.trim());
    super(`${method}: ${problems.join("; ")}`, { details: { issues } });
    this.method = method;
    this.issues = issues;
  }
}

/** A method that needs a connection was called over HTTP or in the process. */
export class ConnectionNeededError extends OpenClawError {
  static override readonly code = "CONNECTION_NEEDED";
  static override readonly kind = "invalid";

  /** @param method - name of the method */
  constructor(method: string) {
    super(
      `${method} changes a connection, and this call has none; call it over the WebSocket /ws, or read events from GET /api/v1/events`,
    );
  }
}

/** The token of a caller does not have the scope of a method (GW-014). */
export class MissingScopeError extends ProtocolError {
  static override readonly code = "MISSING_SCOPE";
  static override readonly kind = "forbidden";

  /**
   * @param what - method or event that was asked for
   * @param missingScope - scope that it needs
   * @param callerId - name of the caller's token
   */
  constructor(what: string, missingScope: MethodScope, callerId: string) {
    super(
      `${what} needs the scope ${missingScope}, which the token "${callerId}" does not have; use a token with that scope`,
      { details: { missingScope } },
    );
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
