import type { Connection } from "./client.js";

/** State of a server; status, list of tools and diagnostics are read from it. */
export type ServerState =
  | { readonly kind: "stopped" }
  | { readonly kind: "starting" }
  | { readonly kind: "ready"; readonly protocolVersion: string | undefined }
  | { readonly kind: "failing"; readonly reason: string; readonly until: number }
  | { readonly kind: "refused"; readonly reason: string };

/** State of a server that could not be used. */
type FailureState = Extract<ServerState, { readonly kind: "failing" | "refused" }>;

/** State with what only the server itself uses. */
export type InternalState =
  | { readonly kind: "stopped" }
  | {
      readonly kind: "starting";
      readonly attempt: Promise<Connection>;
      /** Failure after which it is tried again. */
      readonly failure: FailureState | undefined;
    }
  | { readonly kind: "ready"; readonly connection: Connection; readonly since: number }
  | {
      readonly kind: "failing";
      readonly reason: string;
      readonly until: number;
      readonly timer: NodeJS.Timeout;
    }
  | { readonly kind: "refused"; readonly reason: string };

/**
 * Returns the failure that a state shows.
 * @param state - state before the next attempt
 */
export function failureOf(state: InternalState): FailureState | undefined {
  const visible = visibleState(state);
  return visible.kind === "failing" || visible.kind === "refused" ? visible : undefined;
}

/**
 * Returns a state as others see it. A server that failed stays so until it is ready again, because an attempt says nothing about
 * its outcome.
 * @param state - state with what only the server itself uses
 */
export function visibleState(state: InternalState): ServerState {
  switch (state.kind) {
    case "ready":
      return { kind: "ready", protocolVersion: state.connection.protocolVersion };
    case "failing":
      return { kind: "failing", reason: state.reason, until: state.until };
    case "starting":
      return state.failure ?? { kind: "starting" };
    default:
      return state;
  }
}
