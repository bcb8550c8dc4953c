import type { Timers } from "@openclaw/foundation";
import type { ConnectParams, GatewayMethods } from "@openclaw/protocol";
import type { DeviceKey } from "../device/key.js";

/** Name of a method of the gateway. */
export type GatewayMethodName = keyof GatewayMethods & string;

/** Options of `connectGateway`. */
export interface GatewayConnectionOptions {
  /** URL of the gateway, for example `http://127.0.0.1:18789`; `ws:` works as well. */
  readonly url: string;
  /** Bearer token of the gateway; absent when the client is a device. */
  readonly token?: string | undefined;
  /** Key of a device that the operator approves once, instead of a token (HOST-023). */
  readonly device?: DeviceKey | undefined;
  /** Name, version and kind of this client, for the log of the gateway. */
  readonly client: ConnectParams["client"];
  /** True if a person at this client decides approval requests; calls then wait for that person. */
  readonly approver?: boolean | undefined;
  /** Sessions whose events are received from the start; `*` for every session. */
  readonly subscribe?: readonly string[] | undefined;
  /** Cursor of the last event that an earlier connection of this client received. */
  readonly resume?: { readonly cursor: string } | undefined;
  /** Time in milliseconds until the response to a call; default 120,000. */
  readonly callTimeoutMs?: number | undefined;
  /** Timers of the deadlines and attempts; those of the environment when absent. */
  readonly timers?: Timers | undefined;
  /** Returns a number from 0 up to, but not including, 1; `Math.random` when absent. */
  readonly random?: (() => number) | undefined;
}

/** Options of one call. */
export interface CallOptions {
  /** Stops waiting for the response. The gateway still executes a call that was sent. */
  readonly signal?: AbortSignal | undefined;
  /** Key that identifies repeats of a method that writes; a new one when absent (GW-022). */
  readonly idempotencyKey?: string | undefined;
  /** Time in milliseconds until the response; `Infinity` waits without limit. */
  readonly timeoutMs?: number | undefined;
}

/** Options of a call of a method that this package does not know. */
export interface InvokeOptions extends CallOptions {
  /** `read` for a method without effect, which takes no idempotency key; default `write`. */
  readonly effect?: "read" | "write" | undefined;
}

/** Subscription of a session. */
export interface SessionSubscription {
  /** Full key of the session, which its events contain. */
  readonly sessionKey: string;
  /** Ends the subscription, unless another one of the same session remains. */
  unsubscribe(): Promise<void>;
}
