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
  readonly req: { readonly id: string; readonly method: string };
  readonly params: Readonly<Record<string, unknown>>;
  /** Identity of the caller. */
  readonly client: { readonly id: string; readonly scopes: readonly GatewayScope[] };
  /**
   * Sends the response; only the first response is sent.
   * @param ok - true on success
   * @param payload - JSON value of a successful response
   * @param failure - reason of a failure
   */
  respond(ok: boolean, payload?: unknown, failure?: GatewayMethodFailure): void;
  /** Aborts when the client disconnects or the plugin is unloaded. */
  readonly signal: AbortSignal;
}

/** Handles calls of a method; the return value is the payload, unless the handler called `respond`. */
export type GatewayMethodHandler = (call: GatewayMethodCall) => unknown;

/** Options of a gateway method. */
export interface GatewayMethodOptions {
  /** Scope that callers need; default `operator.admin`. */
  scope?: GatewayScope;
}
