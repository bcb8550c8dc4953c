import type { ConnectResult } from "@openclaw/protocol";
import type { GatewayClientError } from "../errors.js";

/** State of a connection. */
export type ConnectionState =
  /** First attempt to connect. */
  | { readonly status: "connecting" }
  | {
      readonly status: "live";
      /** Reply of the gateway: its methods, events, limits and a snapshot. */
      readonly gateway: ConnectResult;
    }
  /** The connection was lost or could not be made; the client tries again. */
  | {
      readonly status: "reconnecting";
      readonly error: GatewayClientError;
      /** Number of failed attempts since the connection was last live. */
      readonly failures: number;
      /** Time until the next attempt, in milliseconds. */
      readonly delayMs: number;
    }
  /** The gateway does not accept this client; the client does not try again. */
  | { readonly status: "refused"; readonly error: GatewayClientError }
  | { readonly status: "closed" };
