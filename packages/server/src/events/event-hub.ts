import { stringifyWellFormed } from "@openclaw/foundation";
import {
  type EventPublisher,
  type GatewayEventPayload,
  gatewayEvents,
  includesScope,
  type MethodCaller,
  type PluginEvent,
  type PluginEventPublisher,
  type PublishedEventName,
} from "@openclaw/protocol";
import type { EventLog, EventsSince, SentEvent } from "./event-log.js";

/** Receiver of events: a connection or a stream. */
export interface EventSubscriber {
  readonly caller: Pick<MethodCaller, "scopes">;
  /**
   * Returns true if the subscriber receives the events of a session.
   * @param sessionKey - full key of the session
   */
  wants(sessionKey: string): boolean;
  /**
   * Sends or buffers an event. Must not throw.
   * @param event - event that the subscriber may receive
   */
  send(event: SentEvent): void;
}

/** Distributes the events of a host to its clients. */
export class EventHub implements EventPublisher, PluginEventPublisher {
  readonly #log: EventLog;
  readonly #subscribers = new Set<EventSubscriber>();
  #dropped = 0;

  /** @param log - keeps the durable events */
  constructor(log: EventLog) {
    this.#log = log;
  }

  /** Cursor after the newest durable event. */
  get cursor(): string {
    return this.#log.cursor;
  }

  /** Number of events that slow clients did not receive, since the start. */
  get dropped(): number {
    return this.#dropped;
  }

  /**
   * Counts events that a slow client did not receive.
   * @param count - number of events
   */
  noteDropped(count: number): void {
    this.#dropped += count;
  }

  publish<Name extends PublishedEventName>(name: Name, payload: GatewayEventPayload<Name>): void {
    const { scope, delivery } = gatewayEvents[name];
    const sessionKey = isOfSession(name) ? sessionOf(payload) : undefined;
    this.#distribute({ name, json: JSON.stringify(payload), scope, delivery, sessionKey });
  }

  publishPluginEvent({ name, payload, scope }: PluginEvent): void {
    this.#distribute({
      name,
      json: stringifyWellFormed(payload ?? null) ?? "null",
      scope,
      delivery: "durable",
    });
  }

  /**
   * Adds a subscriber. Events that are published later are sent to it.
   * @param subscriber - receives events
   * @returns function that removes the subscriber
   */
  subscribe(subscriber: EventSubscriber): () => void {
    this.#subscribers.add(subscriber);
    return () => void this.#subscribers.delete(subscriber);
  }

  /**
   * Returns the durable events after a cursor that a subscriber may receive. Called in the same tick as
   * {@link EventHub.subscribe}, so that no event is missed or sent twice.
   * @param cursor - cursor of the last event that the client received
   * @param subscriber - receiver of the events
   */
  since(cursor: string, subscriber: EventSubscriber): EventsSince {
    const found = this.#log.since(cursor);
    if ("unavailable" in found) return found;
    return { events: found.events.filter((event) => mayReceive(subscriber, event)) };
  }

  #distribute(event: SentEvent): void {
    const sent = event.delivery === "durable" ? this.#log.add(event) : event;
    for (const subscriber of this.#subscribers) {
      if (mayReceive(subscriber, sent)) subscriber.send(sent);
    }
  }
}

function mayReceive(subscriber: EventSubscriber, { scope, sessionKey }: SentEvent): boolean {
  if (!includesScope(subscriber.caller.scopes, scope)) return false;
  return sessionKey === undefined || subscriber.wants(sessionKey);
}

function isOfSession(name: PublishedEventName): boolean {
  return /^(?:chat|tool|credential)\./.test(name);
}

function sessionOf(payload: unknown): string | undefined {
  const isObject = typeof payload === "object" && payload !== null && "sessionKey" in payload;
  return isObject && typeof payload.sessionKey === "string" ? payload.sessionKey : undefined;
}
