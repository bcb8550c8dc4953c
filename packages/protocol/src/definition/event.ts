import type { Static, TSchema } from "typebox";
import type { Immutable } from "./immutable.js";
import type { MethodScope } from "./scope.js";

/** Event of the wire protocol. */
export interface EventDefinition<Name extends string = string, Payload extends TSchema = TSchema> {
  readonly name: Name;
  /** Condition for sending the event, as a sentence for the reference. */
  readonly summary: string;
  /** Schema of the payload. */
  readonly payload: Payload;
  /** Scope that the receiver needs. */
  readonly scope: MethodScope;
  /**
   * `durable` events have a cursor, from which a client that was disconnected receives the events it missed. A
   * `droppable` event only previews what a later one contains; a slow client may not receive it (GW-018).
   */
  readonly delivery: "durable" | "droppable";
}

/** Payload of an event. */
export type EventPayload<Event extends EventDefinition> = Immutable<Static<Event["payload"]>>;

/**
 * Defines an event of the wire protocol.
 * @param definition - name, schema of the payload and scope
 * @returns the definition, with the type of its schema
 */
export function defineEvent<const Name extends string, Payload extends TSchema>(
  definition: EventDefinition<Name, Payload>,
): EventDefinition<Name, Payload> {
  return definition;
}
