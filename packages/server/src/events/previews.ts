import type { TimerHandle, Timers } from "@openclaw/foundation";
import { gatewayEvents } from "@openclaw/protocol";
import { MOST_WHISPERED_BYTES, type Store } from "@openclaw/store";
import { type Static, Type } from "typebox";
import { Value } from "typebox/value";
import type { EventLog, SentEvent } from "./event-log.js";

/** Topic of events that are not stored. */
const PREVIEWS = "client-previews";
/** Time between two batches, and notifications of one. */
const BATCH_MS = 50;
const MOST_NOTIFICATIONS = 8;
/** Bytes of a notification in addition to the events. */
const FRAME_BYTES = 64;
/** Batches of other nodes that wait for a durable event. */
const MOST_WAITING = 100;

/** Events of one notification. */
const batchSchema = Type.Object({
  /** Position of the last durable event before them. */
  after: Type.Integer({ minimum: 0 }),
  events: Type.Array(
    Type.Object({
      name: Type.String(),
      sessionKey: Type.Optional(Type.String()),
      json: Type.String(),
    }),
  ),
});

type Batch = Static<typeof batchSchema>;

/** Dependencies of {@link Previews}. */
export interface PreviewsDependencies {
  readonly topics: Pick<Store["topics"], "whisper" | "subscribe">;
  readonly timers: Timers;
  /** The durable events that were received. */
  readonly log: Pick<EventLog, "position" | "hasLater">;
  /** Receives an event of another node. */
  receive(event: SentEvent): void;
  /** Reads the durable events, because a later one is known. */
  read(): void;
}

/**
 * Events that are not durable, such as deltas, between the nodes of a database: told in batches at least 50 ms apart, in
 * notifications of at most 7 KiB, and never stored (SCALE-020). Events that do not fit, or come after the durable event that
 * they announced, are left out.
 */
export class Previews {
  readonly #dependencies: PreviewsDependencies;
  /** Strings of the events that wait for the next batch, each with the position before it. */
  #untold: { readonly after: number; readonly text: string }[] = [];
  #timer: TimerHandle | undefined;
  #toldAt = Number.NEGATIVE_INFINITY;
  /** Batches of other nodes whose durable events are not read yet. */
  #waiting: Batch[] = [];
  #unsubscribe: () => void = () => {};
  #isOpen = false;
  /** True if another node may have clients. */
  hasReceivers = false;

  /** @param dependencies - topics, timers, log, and the receiver */
  constructor(dependencies: PreviewsDependencies) {
    this.#dependencies = dependencies;
  }

  /** Tells other nodes of events, and hears of theirs, from now on. */
  open(): void {
    this.#isOpen = true;
    this.#unsubscribe = this.#dependencies.topics.subscribe(PREVIEWS, (text) => {
      const batch: unknown = JSON.parse(text);
      // A node of another version may tell them in another form.
      if (!Value.Check(batchSchema, batch)) return;
      this.#waiting.push(batch);
      if (this.#waiting.length > MOST_WAITING) this.#waiting.shift();
      this.deliver();
    });
  }

  /** Tells and hears nothing more. */
  close(): void {
    this.#isOpen = false;
    this.#unsubscribe();
    this.#dependencies.timers.clearTimeout(this.#timer);
  }

  /**
   * Tells the other nodes of an event, if there are any.
   * @param event - event that is not durable
   */
  add({ name, sessionKey, json }: SentEvent): void {
    if (!this.#isOpen || !this.hasReceivers) return;
    const text = JSON.stringify({ name, sessionKey, json });
    this.#untold.push({ after: this.#dependencies.log.position, text });
    const waitMs = this.#toldAt + BATCH_MS - performance.now();
    if (waitMs <= 0) this.flush();
    else this.#timer ??= this.#dependencies.timers.setTimeout(() => this.flush(), waitMs);
  }

  /** Tells what waits. */
  flush(): void {
    this.#dependencies.timers.clearTimeout(this.#timer);
    this.#timer = undefined;
    const untold = this.#untold;
    this.#untold = [];
    if (!this.#isOpen || untold.length === 0) return;
    this.#toldAt = performance.now();
    for (const text of notifications(untold).slice(0, MOST_NOTIFICATIONS)) {
      this.#dependencies.topics.whisper(PREVIEWS, text);
    }
  }

  /** Delivers the events of other nodes whose durable events before them are received. */
  deliver(): void {
    const { log, receive, read } = this.#dependencies;
    for (;;) {
      const [batch] = this.#waiting;
      if (batch === undefined) return;
      if (batch.after > log.position) {
        read();
        return;
      }
      this.#waiting.shift();
      for (const { name, sessionKey, json } of batch.events) {
        if (!isPreviewName(name)) continue;
        if (sessionKey !== undefined && log.hasLater(sessionKey, batch.after)) continue;
        const { scope, delivery } = gatewayEvents[name];
        if (delivery === "droppable") receive({ name, json, scope, delivery, sessionKey });
      }
    }
  }
}

/** Joins events into notifications, each with events after the same position. */
function notifications(
  untold: readonly { readonly after: number; readonly text: string }[],
): readonly string[] {
  const most = MOST_WHISPERED_BYTES - FRAME_BYTES;
  const batches: { readonly after: number; readonly texts: string[]; bytes: number }[] = [];
  for (const { after, text } of untold) {
    const bytes = Buffer.byteLength(text) + 1;
    if (bytes > most) continue;
    const last = batches.at(-1);
    if (last === undefined || last.after !== after || last.bytes + bytes > most) {
      batches.push({ after, texts: [text], bytes });
    } else {
      last.texts.push(text);
      last.bytes += bytes;
    }
  }
  return batches.map(({ after, texts }) => `{"after":${after},"events":[${texts.join(",")}]}`);
}

function isPreviewName(name: string): name is keyof typeof gatewayEvents {
  return Object.hasOwn(gatewayEvents, name);
}
