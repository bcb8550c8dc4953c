import type { Timers } from "@openclaw/foundation";
import type { Logger } from "@openclaw/plugin-sdk";
import type { MethodCalls } from "../calls/method-calls.js";
import type { EventHub } from "../events/event-hub.js";
import type { EventQueueLimits } from "../events/event-queue.js";
import type { ConnectionAccess } from "./access.js";
import type { ConnectionApprovers } from "./approver.js";
import type { DeviceAuthenticator } from "./device-handshake.js";

/** State of the host that clients are told when they connect. */
export interface HostSnapshot {
  readonly generation: number;
  readonly ready: boolean;
}

/** Dependencies of a connection of a client, the same for all connections. */
export interface ConnectionDependencies {
  readonly hub: Pick<EventHub, "subscribe" | "since" | "cursor" | "noteDropped">;
  readonly calls: Pick<MethodCalls, "execute" | "names">;
  readonly access: ConnectionAccess;
  /** Identifies devices by their keys. */
  readonly devices: DeviceAuthenticator;
  readonly approvers: ConnectionApprovers;
  readonly logger: Logger;
  readonly timers: Timers;
  /** Version of the gateway. */
  readonly version: string;
  /** Bounds of the events that wait for a client; those of GW-018 when absent. */
  readonly queueLimits?: EventQueueLimits | undefined;
  /** Returns the present state of the host. */
  snapshot(): HostSnapshot;
  /**
   * Returns the full key of a session.
   * @param sessionKey - full or short key
   */
  fullKey(sessionKey: string): string;
}
