import type { GatewayEventPayload, PublishedEventName } from "../events/table.js";
import { METHOD_SCOPES, type MethodScope } from "./scope.js";

/** Client that calls a method. */
export interface MethodCaller {
  /**
   * Name of its token in the configuration; `gateway` for the token of the gateway itself; `device:` and the first 16
   * digits of the ID for a paired device.
   */
  readonly id: string;
  readonly scopes: readonly MethodScope[];
  /** Transport of the call; approvals and the audit log name it. */
  readonly via: "http" | "websocket" | "process";
  /** True for the token of the gateway itself from a loopback address, which has no limit by default (GW-016). */
  readonly isLocal?: boolean | undefined;
  /** True for the token of a session in a browser, which cannot extend itself (UI-037). */
  readonly isSession?: boolean | undefined;
}

/** Connection of a caller that receives events. */
export interface MethodConnection {
  /**
   * Sends the events of a session to the connection, from now on.
   * @param sessionKey - full key of the session; `*` for every session
   */
  subscribe(sessionKey: string): void;
  /**
   * Ends a subscription.
   * @param sessionKey - as given to {@link MethodConnection.subscribe}
   */
  unsubscribe(sessionKey: string): void;
  /**
   * Sends an event to this connection only, if it is open.
   * @param name - name of the event
   */
  notify<Name extends PublishedEventName>(name: Name, payload: GatewayEventPayload<Name>): void;
  /**
   * Calls a listener once, when the connection ends.
   * @param listener - stops what runs for the connection
   */
  onClose(listener: () => void): void;
}

/** Circumstances of one call of a method. */
export interface MethodCall {
  readonly caller: MethodCaller;
  /** Aborts when the caller disconnects or the host stops. */
  readonly signal: AbortSignal;
  /** Key that identifies repeats of the call; methods that only read have none (GW-022). */
  readonly idempotencyKey?: string | undefined;
  /** Absent for a call over HTTP and in the process. */
  readonly connection?: MethodConnection | undefined;
}

/** Call by the operator in the process of the host, who has every scope. */
export const OPERATOR_CALL: MethodCall = {
  caller: { id: "operator", scopes: METHOD_SCOPES, via: "process" },
  signal: new AbortController().signal,
};
