/** What a client of the gateway may do (GW-014). */
export type GatewayScope =
  | "operator.read"
  | "operator.write"
  | "operator.approvals"
  | "operator.admin";

/** Why a method did not do what it was asked. */
export interface GatewayMethodFailure {
  /** In upper case, for programs. */
  readonly code: string;
  readonly message: string;
  readonly details?: unknown;
  /** True when asking again may help. */
  readonly retryable?: boolean;
  readonly retryAfterMs?: number;
}

/** One call of a method that a plugin added to the gateway. */
export interface GatewayMethodCall {
  readonly req: { readonly id: string; readonly method: string };
  readonly params: Readonly<Record<string, unknown>>;
  /** Who calls. */
  readonly client: { readonly id: string; readonly scopes: readonly GatewayScope[] };
  /**
   * Answers the call; only the first answer counts.
   * @param ok - whether it did what it was asked
   * @param payload - JSON
   * @param failure - why not
   */
  respond(ok: boolean, payload?: unknown, failure?: GatewayMethodFailure): void;
  /** Aborts when the client goes or the plugin is unloaded. */
  readonly signal: AbortSignal;
}

/** Handles the calls of a method; what it returns is the payload, unless it called `respond`. */
export type GatewayMethodHandler = (call: GatewayMethodCall) => unknown;

/** How a method is added to the gateway. */
export interface GatewayMethodOptions {
  /** What its callers need; default `operator.admin`. */
  scope?: GatewayScope;
}
