import type { Connection } from "./client.js";

/** State of a server; status, list of tools and diagnostics are read from it. */
export type ServerState =
  | { readonly kind: "stopped" }
  | { readonly kind: "starting" }
  | { readonly kind: "ready"; readonly protocolVersion: string | undefined }
  | { readonly kind: "failing"; readonly reason: string; readonly until: number }
  | { readonly kind: "refused"; readonly reason: string };

/** State with what only the server itself uses. */
export type InternalState =
  | { readonly kind: "stopped" }
  | { readonly kind: "starting"; readonly attempt: Promise<Connection> }
  | { readonly kind: "ready"; readonly connection: Connection; readonly since: number }
  | {
      readonly kind: "failing";
      readonly reason: string;
      readonly until: number;
      readonly timer: NodeJS.Timeout;
    }
  | { readonly kind: "refused"; readonly reason: string };

/**
 * Returns a state as others see it.
 * @param state - state with what only the server itself uses
 */
export function visibleState(state: InternalState): ServerState {
  switch (state.kind) {
    case "ready":
      return { kind: "ready", protocolVersion: state.connection.protocolVersion };
    case "failing":
      return { kind: "failing", reason: state.reason, until: state.until };
    case "starting":
      return { kind: "starting" };
    default:
      return state;
  }
}
