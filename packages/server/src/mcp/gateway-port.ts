import type {
  ApprovalSummary,
  GatewayEventPayload,
  GatewayMethodParameters,
  GatewayMethodResult,
  GatewayMethods,
  PublishedEventName,
} from "@openclaw/protocol";

/** Name of a method of the gateway. */
export type PortMethod = keyof GatewayMethods & string;

/** Event of the gateway; its name determines the type of its payload. */
export type PortEvent = {
  readonly [Name in PublishedEventName]: {
    readonly name: Name;
    readonly payload: GatewayEventPayload<Name>;
  };
}[PublishedEventName];

/** Options of a call. */
export interface PortCallOptions {
  /** Aborts the call in the gateway. */
  readonly signal?: AbortSignal | undefined;
  /** Identifies repeats of a method that writes; a new key when absent. */
  readonly idempotencyKey?: string | undefined;
}

/** The gateway as the holder of one token sees it: in the same process, or over the network. */
export interface GatewayPort {
  /** Returns the names of the methods that the token may call. */
  methods(): Promise<ReadonlySet<string>>;
  /**
   * Calls a method with the rights of the token.
   * @param parameters - parameters; the gateway checks them
   * @param options - signal and idempotency key
   * @throws OpenClawError as the method fails
   */
  call<Name extends PortMethod>(
    method: Name,
    parameters: GatewayMethodParameters<Name>,
    options?: PortCallOptions,
  ): Promise<GatewayMethodResult<Name>>;
  /**
   * Calls a method whose parameters are not known when the program is compiled.
   * @param parameters - parameters; the gateway checks them
   * @param options - signal and idempotency key
   * @throws OpenClawError as the method fails
   */
  invoke(method: PortMethod, parameters: object, options?: PortCallOptions): Promise<unknown>;
  /**
   * Listens to the events that the token may receive, of all sessions.
   * @param listener - called for each event, in order; undefined when events are missing
   * @returns function that removes the listener
   */
  listen(listener: (event: PortEvent | undefined) => void): () => void;
  /**
   * Adds the person at the client as an approver of a session, so that calls wait for a decision (APPR-024).
   * @param sessionKey - full key of the session
   * @param show - shows a pending request; returns false when it does not
   * @returns function that removes the approver
   */
  attend(sessionKey: string, show: (approval: ApprovalSummary) => boolean): Promise<() => void>;
}
