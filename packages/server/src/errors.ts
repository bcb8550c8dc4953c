import { type ErrorKind, isErrorKind, OpenClawError } from "@openclaw/foundation";
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

/** The first call with an idempotency key may have had an effect, and its outcome is not known (GW-022). */
export class CallOutcomeUnknownError extends OpenClawError {
  static override readonly code = "CALL_OUTCOME_UNKNOWN";
  static override readonly kind = "conflict";

  /**
   * @param key - idempotency key of the call
   * @param method - name of the method
   * @param reason - `stopped`: the gateway stopped during the call; `oversized`: the outcome was too large to keep
   */
  constructor(key: string, method: string, reason: "stopped" | "oversized") {
    const problem =
      reason === "stopped"
        ? "the gateway stopped during the first call, so it may have had an effect or none"
        : "the call was executed, and its outcome was too large to keep";
    super(
      `the outcome of the call of ${method} with the idempotency key "${key}" is unknown: ${problem}; read the state, and repeat the call with a new key if it is needed`,
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
