import { AsyncLocalStorage } from "node:async_hooks";
import { errorMessage, type TimerHandle, type Timers, waitAtMost } from "@openclaw/foundation";
import type { Logger } from "@openclaw/plugin-sdk";
import { METHOD_SCOPES } from "@openclaw/protocol";
import type { ClientEvent, Store } from "@openclaw/store";
import { resyncEvent } from "./connection-events.js";
import {
  EVENT_LOG_LIMITS,
  EventLog,
  type EventOrder,
  type EventsSince,
  type SentEvent,
} from "./event-log.js";
import { Previews } from "./previews.js";

/** Topic of events that are stored. */
const STORED = "client-events";
/** Time between the begins of two statements that store events: events of this time are stored together. */
const BATCH_MS = 20;
const MOST_OF_A_BATCH = 500;
/** Interval in which the events are read although no node told of new ones (SCALE-019). */
const POLL_MS = 1000;
const RETRY_MS = 250;
const TRIM_MS = 60_000;
/** Time for the events of a node that stops to be stored. */
const SETTLE_MS = 2000;

/** Dependencies of {@link NodeEventLog}. */
export interface NodeEventLogDependencies {
  readonly store: Pick<Store, "clientEvents" | "topics" | "nodes">;
  readonly timers: Timers;
  readonly logger: Pick<Logger, "warn" | "info">;
  /** Returns milliseconds since the epoch. */
  now(): number;
}

/** An event of this node that is not received yet. */
interface Waiting {
  readonly event: SentEvent;
  /** Key of a durable event. */
  readonly key: string | undefined;
  isStored: boolean;
}

/**
 * The events of all nodes of a database, in one order for the clients of each (SCALE-020), so that a cursor of one node is
 * valid on another. Durable events get their positions when they are stored, at most 20 ms later, and are received by every
 * node from the database; the others are told to the other nodes in notifications, which may be lost, and never overtake a
 * durable event of their session.
 */
export class NodeEventLog implements EventOrder {
  readonly #dependencies: NodeEventLogDependencies;
  /** The newest events, as the database has them. */
  readonly #log: EventLog;
  readonly #previews: Previews;
  /** Runs what an event starts outside of the transaction and the lease in which it was published. */
  readonly #outside = AsyncLocalStorage.snapshot();
  #receive: (event: SentEvent) => void = () => {};
  /** Events of this node in the order of publishing. */
  #waiting: Waiting[] = [];
  #published = 0;
  #epoch = "";
  #isOpen = false;
  #isClosed = false;
  #storing: Promise<void> | undefined;
  #storedAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | undefined;
  #isAgain = false;
  #poll: TimerHandle | undefined;
  #trimmedAt = performance.now();
  #gone = new Set<string>();
  #unsubscribe: () => void = () => {};

  /** @param dependencies - store, timers, log and clock */
  constructor(dependencies: NodeEventLogDependencies) {
    this.#dependencies = dependencies;
    this.#log = new EventLog(dependencies.now);
    this.#log.follow((event) => this.#receive(event));
    const { topics } = dependencies.store;
    this.#previews = new Previews({
      ...{ topics, timers: dependencies.timers, log: this.#log },
      receive: (event) => this.#receive(event),
      read: () => this.#readSoon(),
    });
  }

  get cursor(): string {
    return this.#log.cursor;
  }

  since(cursor: string): EventsSince {
    return this.#log.since(cursor);
  }

  follow(receive: (event: SentEvent) => void): void {
    this.#receive = receive;
  }

  /**
   * Reads the events that are kept, and receives those of all nodes from now on. Call it once, after the node has reported
   * itself and the key of the journal is prepared.
   * @throws StoreUnavailableError
   */
  async open(): Promise<void> {
    const { store, timers } = this.#dependencies;
    await store.clientEvents.begin();
    const { epoch, newest, gone } = await store.clientEvents.after(Number.MAX_SAFE_INTEGER);
    this.#epoch = epoch;
    this.#gone = new Set(gone);
    this.#log.begin(epoch, Math.max(0, newest - EVENT_LOG_LIMITS.events));
    // Events of the time before the start are for clients that return with a cursor.
    this.#log.follow(() => {});
    await this.#readAll();
    this.#log.follow((event) => this.#receive(event));
    this.#isOpen = true;
    this.#unsubscribe = store.topics.subscribe(STORED, () => this.#readSoon());
    this.#previews.open();
    const again = () => {
      this.#poll = timers.setTimeout(() => {
        this.#readSoon();
        again();
      }, POLL_MS);
    };
    this.#outside(again);
    this.#storeSoon();
  }

  publish(event: SentEvent): void {
    if (this.#isClosed) return;
    const isDurable = event.delivery === "durable";
    if (!isDurable && this.#waiting.length === 0) {
      this.#pass(event);
      return;
    }
    this.#published += 1;
    const own = `${this.#dependencies.store.nodes.own} ${this.#published}`;
    this.#waiting.push({ event, key: isDurable ? (event.key ?? own) : undefined, isStored: false });
    if (isDurable) this.#storeSoon();
  }

  async settled(): Promise<void> {
    await waitAtMost(SETTLE_MS, this.#settle());
  }

  /** Stores what was published, and receives nothing more. */
  async close(): Promise<void> {
    await this.settled();
    this.#isClosed = true;
    this.#unsubscribe();
    this.#previews.close();
    this.#dependencies.timers.clearTimeout(this.#poll);
    await this.#reading;
  }

  async #settle(): Promise<void> {
    while (this.#waiting.length > 0 && this.#isOpen && !this.#isClosed) await this.#storing;
    this.#previews.flush();
  }

  /** Passes an event that is not durable on to the clients of this node, and to the other nodes. */
  #pass(event: SentEvent): void {
    this.#receive(event);
    this.#previews.add(event);
  }

  #storeSoon(): void {
    if (!this.#isOpen) return;
    this.#storing ??= this.#outside(() =>
      this.#store().finally(() => {
        this.#storing = undefined;
        if (!this.#isClosed && this.#unstored().length > 0) this.#storeSoon();
      }),
    );
  }

  #unstored(): readonly Waiting[] {
    return this.#waiting.filter(({ key, isStored }) => key !== undefined && !isStored);
  }

  /** Stores the durable events that wait, until none does. */
  async #store(): Promise<void> {
    const { store, logger } = this.#dependencies;
    let failures = 0;
    for (;;) {
      await this.#pause(this.#storedAt + BATCH_MS - performance.now());
      const batch = this.#unstored().slice(0, MOST_OF_A_BATCH);
      if (batch.length === 0 || this.#isClosed) return;
      this.#storedAt = performance.now();
      try {
        await store.clientEvents.append(
          batch.map(({ event, key = "" }) => {
            const { name, scope, sessionKey, json } = event;
            return { key, name, scope, sessionKey, json };
          }),
        );
        if (failures > 1) logger.info("events of clients are stored again");
        failures = 0;
        store.topics.whisper(STORED, "");
        await this.#read();
        // Another node may have stored one with the same key, and this one read it, before it was published here.
        for (const each of batch) each.isStored = true;
        this.#releasePreviews();
      } catch (error) {
        // The first failure may be another node that has stored an event with the same key at the same time.
        failures += 1;
        const problem = `events of clients wait until they can be stored: ${errorMessage(error)}`;
        if (failures === 2) logger.warn(problem);
        if (failures > 1) await this.#pause(RETRY_MS);
      }
    }
  }

  async #pause(ms: number): Promise<void> {
    if (ms <= 0) return;
    await new Promise<void>((resolve) => this.#dependencies.timers.setTimeout(resolve, ms));
  }

  #readSoon(): void {
    if (this.#isClosed || !this.#isOpen) return;
    // The next poll reads what a lost connection kept back.
    this.#outside(() => void this.#read().catch(() => undefined));
  }

  /** Reads what is stored now; a call during a read reads once more. */
  async #read(): Promise<void> {
    if (this.#reading !== undefined) this.#isAgain = true;
    this.#reading ??= this.#readAgain().finally(() => {
      this.#reading = undefined;
    });
    await this.#reading;
  }

  async #readAgain(): Promise<void> {
    do {
      this.#isAgain = false;
      await this.#readAll();
    } while (this.#isAgain);
  }

  async #readAll(): Promise<void> {
    const { clientEvents } = this.#dependencies.store;
    for (;;) {
      const found = await clientEvents.after(this.#log.position);
      if (this.#isClosed) return;
      this.#previews.hasReceivers = found.hasOthers;
      if (found.epoch !== this.#epoch || found.newest < this.#log.position) {
        await this.#beginAgain(found.epoch, found.newest);
        continue;
      }
      for (const event of found.events) this.#add(event);
      if (found.events.length === 0) this.#skipTo(found.newest);
      this.#releasePreviews();
      this.#previews.deliver();
      this.#tellGone(found.gone);
      if (found.events.length === 0 || this.#log.position >= found.newest) break;
    }
    if (performance.now() - this.#trimmedAt < TRIM_MS) return;
    this.#trimmedAt = performance.now();
    await clientEvents.trim(EVENT_LOG_LIMITS.events, EVENT_LOG_LIMITS.ageMs);
  }

  /** The database has gone back, so that positions have other events than those that clients know. */
  async #beginAgain(epoch: string, newest: number): Promise<void> {
    let current = epoch;
    if (epoch === this.#epoch) {
      current = await this.#dependencies.store.clientEvents.renew(epoch);
    }
    this.#epoch = current;
    this.#log.begin(current, newest);
    this.#resync("restarted");
  }

  #add({ position, key, name, scope, sessionKey, json, at }: ClientEvent): void {
    this.#skipTo(position - 1);
    this.#releasePreviews();
    const own = this.#waiting.find((waiting) => waiting.key === key);
    if (own !== undefined) own.isStored = true;
    const known = METHOD_SCOPES.find((each) => each === scope);
    // A scope of a later version is none of most callers, and the position is taken.
    this.#log.add(
      { name, json, scope: known ?? "operator.admin", delivery: "durable", sessionKey },
      at,
    );
  }

  /** Continues after events that were removed before they were read, as those before the start. */
  #skipTo(position: number): void {
    if (position <= this.#log.position) return;
    this.#log.begin(this.#epoch, position);
    if (this.#isOpen) this.#resync("expired");
  }

  /** Lets every client read the state again. */
  #resync(reason: "restarted" | "expired"): void {
    const event = resyncEvent(reason);
    this.#receive({ ...event, delivery: "durable", cursor: this.#log.cursor });
  }

  /** Passes on the events that waited for those before them. */
  #releasePreviews(): void {
    let first = this.#waiting[0];
    while (first !== undefined && (first.key === undefined || first.isStored)) {
      this.#waiting.shift();
      if (first.key === undefined) this.#pass(first.event);
      first = this.#waiting[0];
    }
  }

  /** A node that was killed may have stored what it did, and not the events that tell of it. */
  #tellGone(gone: readonly string[]): void {
    const isNew = gone.some((nodeId) => !this.#gone.has(nodeId));
    this.#gone = new Set(gone);
    if (isNew) this.#resync("restarted");
  }
}
