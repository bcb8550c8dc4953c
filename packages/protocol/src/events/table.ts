import type { EventPayload } from "../definition/event.js";
import type { MethodScope } from "../definition/scope.js";
import { approvalEvent, approvalEvents } from "./approval.js";
import { authEvents } from "./auth.js";
import { chatEvents } from "./chat.js";
import { connectionEvents } from "./connection.js";
import { credentialEvents } from "./credential.js";
import { hostEvents } from "./host.js";
import { jobEvents } from "./job.js";
import { routineEvents } from "./routine.js";
import { toolEvents } from "./tool.js";

/** Every event of the gateway, by name. */
export const gatewayEvents = {
  ...connectionEvents,
  ...chatEvents,
  ...toolEvents,
  ...approvalEvents,
  ...credentialEvents,
  ...authEvents,
  ...hostEvents,
  ...jobEvents,
  ...routineEvents,
  [approvalEvent.name]: approvalEvent,
};

/** The table of the events of the gateway. */
export type GatewayEvents = typeof gatewayEvents;

/** Name of an event of the gateway. */
export type GatewayEventName = keyof GatewayEvents;

/** Payload of an event of the gateway. */
export type GatewayEventPayload<Name extends GatewayEventName> = EventPayload<GatewayEvents[Name]>;

/** Events that a host publishes; those of a connection are sent by the server itself. */
export type PublishedEventName = Exclude<
  GatewayEventName,
  keyof typeof connectionEvents | typeof approvalEvent.name
>;

/** An event of a plugin. */
export interface PluginEvent {
  /** Name, `plugin.<id>.<event>` (GW-030). */
  readonly name: string;
  /** JSON value. */
  readonly payload: unknown;
  /** Scope that the receiver needs. */
  readonly scope: MethodScope;
}

/** Publishes events to the connected clients. */
export interface EventPublisher {
  /**
   * Publishes an event to the clients that may receive it. Never throws and never waits for a client.
   * @param name - name of the event
   * @param payload - payload, with the key of the session for an event of a session
   */
  publish<Name extends PublishedEventName>(name: Name, payload: GatewayEventPayload<Name>): void;
}

/** Publishes events of plugins to the connected clients. */
export interface PluginEventPublisher {
  /**
   * Publishes an event of a plugin to the clients with its scope. Never waits for a client.
   * @param event - name, payload and scope
   */
  publishPluginEvent(event: PluginEvent): void;
}
