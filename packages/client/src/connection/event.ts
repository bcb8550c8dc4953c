import type { GatewayEventName, GatewayEventPayload } from "@openclaw/protocol";

/** Name of an event: of the gateway, or of a plugin (GW-030). */
export type EventName = GatewayEventName | `plugin.${string}`;

/** Payload of an event; that of a plugin has the form that the plugin documents. */
export type PayloadOf<Name extends EventName> = Name extends GatewayEventName
  ? GatewayEventPayload<Name>
  : unknown;

/** Event of a gateway. `event.name` determines the type of `event.payload`. */
export type ReceivedEvent<Name extends EventName = EventName> = Name extends EventName
  ? {
      readonly name: Name;
      readonly payload: PayloadOf<Name>;
      /** Position of a durable event, to resume after it. */
      readonly cursor?: string | undefined;
      /** Number of previews that the gateway left out before this event, because the client read too slowly. */
      readonly dropped?: number | undefined;
    }
  : never;

/**
 * Returns the event of a frame. Its payload is not checked against the schema of the event: the gateway is trusted with
 * its own events, and newer gateways add members.
 * @param frame - name, payload and position from the wire
 */
export function receivedEvent(frame: {
  readonly event: string;
  readonly payload: unknown;
  readonly cursor?: string | undefined;
  readonly dropped?: number | undefined;
}): ReceivedEvent {
  const { event: name, payload, cursor, dropped } = frame;
  return { name, payload, cursor, dropped } as ReceivedEvent;
}
