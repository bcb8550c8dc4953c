import { randomBytes } from "node:crypto";
import type { MethodScope } from "@openclaw/protocol";

/** Bounds of an {@link EventLog}. */
export interface EventLogLimits {
  /** Maximum number of events. */
  readonly events: number;
  /** Maximum total size of the payloads, in UTF-16 code units. */
  readonly size: number;
  /** Maximum age in milliseconds. */
  readonly ageMs: number;
}

/** Bounds of GW-023, and a bound of the memory that large events use. */
export const EVENT_LOG_LIMITS: EventLogLimits = {
  events: 10_000,
  size: 16 * 1024 * 1024,
  ageMs: 24 * 60 * 60 * 1000,
};

/** Event as it is sent to clients. */
export interface SentEvent {
  readonly name: string;
  /** Payload as JSON, serialized once for all clients. */
  readonly json: string;
  readonly scope: MethodScope;
  readonly delivery: "durable" | "droppable";
  /** Session of an event that only its subscribers receive. */
  readonly sessionKey?: string | undefined;
  /** Position of a durable event. */
  readonly cursor?: string | undefined;
  /** Identifies an event that each node publishes; only the first with a key is sent. */
  readonly key?: string | undefined;
}

/** Events after a cursor, or the reason why they are not known. */
export type EventsSince =
  | { readonly events: readonly SentEvent[] }
  | { readonly unavailable: "expired" | "restarted" | "unknown-cursor" };

/** Order of the events of a host, or of all nodes of a database, which keeps the newest for clients that return. */
export interface EventOrder {
  /** Cursor after the newest durable event. */
  readonly cursor: string;
  /**
   * Gives an event its place. It is received later, after the events before it.
   * @param event - event without a cursor
   */
  publish(event: SentEvent): void;
  /**
   * Receives the events from now on, in order, the durable ones with their cursors.
   * @param receive - must not throw
   */
  follow(receive: (event: SentEvent) => void): void;
  /**
   * Returns the durable events after a cursor that were received, oldest first.
   * @param cursor - cursor of the last event that a client received
   */
  since(cursor: string): EventsSince;
  /** Resolves when every event that was published before is received, or cannot be in time. */
  settled(): Promise<void>;
}

interface Entry {
  readonly event: SentEvent;
  readonly position: number;
  readonly at: number;
}

const CURSOR = /^([0-9a-f]{12})-(0|[1-9]\d{0,15})$/;

/**
 * The events of a host that has its database alone, or the newest ones of all nodes in the memory of one. Keeps the durable
 * events of a process, so that a client that was disconnected receives those it missed (GW-023). Events of an earlier process
 * are not kept: what they reported is in the store.
 */
export class EventLog implements EventOrder {
  readonly #limits: EventLogLimits;
  readonly #now: () => number;
  /** Distinguishes the cursors of this process from those of an earlier one. */
  #epoch = randomBytes(6).toString("hex");
  /** Oldest first; entries before `#start` were removed. */
  #entries: Entry[] = [];
  #start = 0;
  #size = 0;
  #position = 0;
  #receive: (event: SentEvent) => void = () => {};

  /**
   * @param now - returns milliseconds since the epoch
   * @param limits - bounds of the log
   */
  constructor(now: () => number, limits: EventLogLimits = EVENT_LOG_LIMITS) {
    this.#now = now;
    this.#limits = limits;
  }

  /** Cursor after the newest event. */
  get cursor(): string {
    return this.#cursorAt(this.#position);
  }

  /** Position of the newest durable event. */
  get position(): number {
    return this.#position;
  }

  follow(receive: (event: SentEvent) => void): void {
    this.#receive = receive;
  }

  publish(event: SentEvent): void {
    if (event.delivery === "durable") this.add(event, this.#now());
    else this.#receive(event);
  }

  async settled(): Promise<void> {}

  /**
   * Adds a durable event, and passes it on.
   * @param event - event without a cursor
   * @param at - time of the event, in milliseconds since the epoch
   */
  add(event: SentEvent, at: number): void {
    this.#position += 1;
    const kept = { ...event, cursor: this.#cursorAt(this.#position) };
    this.#entries.push({ event: kept, position: this.#position, at });
    this.#size += event.json.length;
    this.#removeOld();
    this.#receive(kept);
  }

  /**
   * Forgets the events, and continues with others.
   * @param epoch - distinguishes the cursors from earlier ones; 12 hexadecimal digits
   * @param position - position before the next event
   */
  begin(epoch: string, position: number): void {
    this.#epoch = epoch;
    this.#position = position;
    this.#entries = [];
    this.#start = 0;
    this.#size = 0;
  }

  /**
   * Returns true if an event of a session was added after a position.
   * @param sessionKey - full key of the session
   * @param position - position of an event
   */
  hasLater(sessionKey: string, position: number): boolean {
    for (let place = this.#entries.length - 1; place >= this.#start; place -= 1) {
      const entry = this.#entries[place];
      if (entry === undefined || entry.position <= position) return false;
      if (entry.event.sessionKey === sessionKey) return true;
    }
    return false;
  }

  since(cursor: string): EventsSince {
    const [, epoch, digits] = CURSOR.exec(cursor) ?? [];
    if (epoch === undefined) return { unavailable: "unknown-cursor" };
    if (epoch !== this.#epoch) return { unavailable: "restarted" };
    const position = Number(digits);
    if (position > this.#position) return { unavailable: "unknown-cursor" };
    this.#removeOld();
    const oldest = this.#entries[this.#start]?.position ?? this.#position + 1;
    if (position < oldest - 1) return { unavailable: "expired" };
    const missed = this.#entries.slice(this.#start + position - oldest + 1);
    return { events: missed.map(({ event }) => event) };
  }

  #cursorAt(position: number): string {
    return `${this.#epoch}-${position}`;
  }

  #removeOld(): void {
    const { events, size, ageMs } = this.#limits;
    const since = this.#now() - ageMs;
    for (;;) {
      const oldest = this.#entries[this.#start];
      if (oldest === undefined) break;
      const count = this.#entries.length - this.#start;
      if (count <= events && this.#size <= size && oldest.at > since) break;
      this.#size -= oldest.event.json.length;
      this.#start += 1;
    }
    // Moving the rest once per many removals keeps the cost of an event constant.
    if (this.#start > 1024 && this.#start * 2 > this.#entries.length) {
      this.#entries = this.#entries.slice(this.#start);
      this.#start = 0;
    }
  }
}
