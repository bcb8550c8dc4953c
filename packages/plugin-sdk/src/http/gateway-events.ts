import type { GatewayScope } from "./gateway-method.js";

/** Options of a plugin's event. */
export interface GatewayEventOptions {
  /** Scope that a client needs to receive the event; default `operator.read`. */
  scope?: GatewayScope;
}

/** Events of a plugin for connected clients (GW-030). */
export interface GatewayEvents {
  /**
   * Sends an event to the connected clients. Each plugin has separate names, so that it cannot imitate an event of the
   * host. Without clients it has no effect.
   * @param event - 1 to 64 of A-Z a-z 0-9 . _ -; clients receive it as `plugin.<plugin id>.<event>`
   * @param payload - JSON value of at most 64 KiB; null when absent
   * @param options - scope of the receivers
   */
  emit(event: string, payload?: unknown, options?: GatewayEventOptions): void;
}
