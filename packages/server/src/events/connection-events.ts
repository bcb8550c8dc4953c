import type { GatewayEventPayload } from "@openclaw/protocol";
import type { EventsSince, SentEvent } from "./event-log.js";

/**
 * Returns the event that tells a client why the events after its cursor are not sent (GW-023).
 * @param reason - why they are not known
 */
export function resyncEvent(
  reason: Extract<EventsSince, { unavailable: string }>["unavailable"],
): SentEvent {
  return connectionEvent("resync", { reason });
}

/**
 * Returns the event that lets a client notice a dead connection (GW-023).
 * @param at - milliseconds since the epoch
 * @param cursor - cursor after the newest durable event, so that an idle client resumes from there
 */
export function tickEvent(at: number, cursor: string): SentEvent {
  return { ...connectionEvent("tick", { at }), cursor };
}

/**
 * Returns the last event before the gateway stops.
 * @param reason - why it stops
 */
export function shutdownEvent(reason: GatewayEventPayload<"shutdown">["reason"]): SentEvent {
  return connectionEvent("shutdown", { reason });
}

/**
 * Returns an event about the connection itself.
 * @param name - name of the event
 */
export function connectionEvent<Name extends "hello" | "tick" | "resync" | "shutdown">(
  name: Name,
  payload: GatewayEventPayload<Name>,
): SentEvent {
  return { name, json: JSON.stringify(payload), scope: "operator.read", delivery: "droppable" };
}
