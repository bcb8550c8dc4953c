import { type ErrorKind, OpenClawError } from "@openclaw/foundation";
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
