import { sha256, stringifyWellFormed } from "@openclaw/foundation";
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
import type { EventOrder, EventsSince, SentEvent } from "./event-log.js";

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
  readonly #log: EventOrder;
  readonly #subscribers = new Set<EventSubscriber>();
  #dropped = 0;

  /** @param log - orders the events, and keeps the durable ones */
  constructor(log: EventOrder) {
    this.#log = log;
    log.follow((event) => this.#distribute(event));
  }

  /** Cursor after the newest durable event. */
  get cursor(): string {
    return this.#log.cursor;
  }

  /** Resolves when the subscribers have every event that was published before. */
  settled(): Promise<void> {
    return this.#log.settled();
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
    const json = JSON.stringify(payload);
    const key = keyOf(name, payload, json);
    this.#log.publish({ name, json, scope, delivery, sessionKey, key });
  }

  publishPluginEvent({ name, payload, scope }: PluginEvent): void {
    this.#log.publish({
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
    for (const subscriber of this.#subscribers) {
      if (mayReceive(subscriber, event)) subscriber.send(event);
    }
  }
}

/** Each node publishes the events of approval requests, whichever process has changed one (APPR-530). */
function keyOf(name: PublishedEventName, payload: unknown, json: string): string | undefined {
  if (!name.startsWith("approval.")) return undefined;
  const isObject = typeof payload === "object" && payload !== null && "id" in payload;
  const id = isObject && typeof payload.id === "string" ? payload.id : "";
  return name === "approval.updated" ? `${name} ${id} ${sha256(json)}` : `${name} ${id}`;
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
