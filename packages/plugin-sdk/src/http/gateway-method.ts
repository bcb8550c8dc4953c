/** Permission of a gateway client (GW-014). */
export type GatewayScope =
  | "operator.read"
  | "operator.write"
  | "operator.approvals"
  | "operator.admin";

/** Failure of a gateway method. */
export interface GatewayMethodFailure {
  /** Error code in upper case. */
  readonly code: string;
  readonly message: string;
  readonly details?: unknown;
  /** True when a retry may succeed. */
  readonly retryable?: boolean;
  readonly retryAfterMs?: number;
}

/** Call of a gateway method that a plugin registered. */
export interface GatewayMethodCall {
  /** ID of this call, for logs, and the name of the method. */
  readonly req: { readonly id: string; readonly method: string };
  /** Parameters as the client sent them; the handler checks them. */
  readonly params: Readonly<Record<string, unknown>>;
  /** Identity of the caller. */
  readonly client: { readonly id: string; readonly scopes: readonly GatewayScope[] };
  /**
   * Sends the response; only the first response is sent.
   * @param ok - true on success
   * @param payload - JSON value of a successful response; without `failure`, its `error` is the message of a failure
   * @param failure - reason of a failure
   */
  respond(ok: boolean, payload?: unknown, failure?: GatewayMethodFailure): void;
  /** Aborts when the client disconnects, the plugin is unloaded or the time of the call is over. */
  readonly signal: AbortSignal;
}

/**
 * Handles calls of a method (GW-030). The return value is the payload, unless the handler called `respond`; a handler
 * that returns undefined responds with `respond`, also later. A thrown error is logged, and the client receives its id.
 */
export type GatewayMethodHandler = (call: GatewayMethodCall) => unknown;

/** Options of a gateway method. */
export interface GatewayMethodOptions {
  /** Scope that callers need; default `operator.admin`. */
  scope?: GatewayScope;
  /** Time of a call in milliseconds, from 1 to 600,000; default 60,000. A call that takes longer fails. */
  timeoutMs?: number;
}
