import type { Clock, TimerHandle } from "@openclaw/foundation";
import {
  CONNECTION_LIMITS,
  type GatewayEventPayload,
  type MethodCaller,
  type WireErrorBody,
} from "@openclaw/protocol";
import { wireErrorOf } from "@openclaw/protocol/registry";
import { SlowClientError } from "../errors.js";
import { resyncEvent, shutdownEvent } from "./connection-events.js";
import type { EventHub, EventSubscriber } from "./event-hub.js";
import type { SentEvent } from "./event-log.js";
import { EventQueue, type EventQueueLimits } from "./event-queue.js";

/** Bytes that a stream keeps for its reader before events wait in the queue. */
const STREAM_BUFFER = 64 * 1024;

/** Events that a client asks for. */
export interface EventStreamRequest {
  readonly caller: Pick<MethodCaller, "scopes">;
  /** Full keys of sessions; empty for every session. */
  readonly sessions: readonly string[];
  /** Names of events; empty for every event. */
  readonly types: readonly string[];
  /** Cursor of the last event that the client received. */
  readonly cursor?: string | undefined;
}

/** Dependencies of {@link EventStreams}. */
export interface EventStreamsDependencies {
  readonly hub: Pick<EventHub, "subscribe" | "since" | "cursor" | "noteDropped">;
  readonly timers: Pick<Clock, "setTimeout" | "clearTimeout" | "setInterval" | "clearInterval">;
  /** Bounds of the events that wait for a client; those of GW-018 when absent. */
  readonly queueLimits?: EventQueueLimits | undefined;
}

/** Streams of server-sent events (GW-034). */
export class EventStreams {
  readonly #dependencies: EventStreamsDependencies;
  readonly #streams = new Set<EventStream>();
  readonly #ticking: TimerHandle;

  /** @param dependencies - events and timers */
  constructor(dependencies: EventStreamsDependencies) {
    this.#dependencies = dependencies;
    const { timers, hub } = dependencies;
    this.#ticking = timers.setInterval(() => {
      for (const stream of this.#streams) stream.keepAlive(hub.cursor);
    }, CONNECTION_LIMITS.tickIntervalMs);
  }

  /** Number of open streams. */
  get size(): number {
    return this.#streams.size;
  }

  /**
   * Opens a stream.
   * @param request - events to send
   */
  open(request: EventStreamRequest): ReadableStream<Uint8Array> {
    const stream = new EventStream(request, this.#dependencies, () => this.#streams.delete(stream));
    this.#streams.add(stream);
    return stream.body;
  }

  /**
   * Ends every stream with a last event.
   * @param reason - reason of the stop
   */
  close(reason: GatewayEventPayload<"shutdown">["reason"]): void {
    this.#dependencies.timers.clearInterval(this.#ticking);
    for (const stream of this.#streams) stream.end(shutdownEvent(reason));
  }
}

/** Events for one client. */
class EventStream implements EventSubscriber {
  readonly caller: Pick<MethodCaller, "scopes">;
  readonly body: ReadableStream<Uint8Array>;
  readonly #sessions: ReadonlySet<string>;
  readonly #types: ReadonlySet<string>;
  readonly #queue: EventQueue;
  readonly #onEnd: () => void;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #unsubscribe = () => {};

  constructor(
    { caller, sessions, types, cursor }: EventStreamRequest,
    { hub, timers, queueLimits }: EventStreamsDependencies,
    onEnd: () => void,
  ) {
    this.caller = caller;
    this.#sessions = new Set(sessions);
    this.#types = new Set(types);
    this.#onEnd = onEnd;
    const bufferedBytes = () => STREAM_BUFFER - (this.#controller?.desiredSize ?? STREAM_BUFFER);
    const sink = {
      get bufferedBytes() {
        return bufferedBytes();
      },
      write: (event: SentEvent, dropped: number) => {
        hub.noteDropped(dropped);
        this.#write(event, dropped);
      },
      closeSlow: () => this.#endSlow(),
    };
    this.#queue = new EventQueue(sink, timers, queueLimits);
    this.body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        pull: () => this.#queue.flush(),
        cancel: () => this.#forget(),
      },
      new ByteLengthQueuingStrategy({ highWaterMark: STREAM_BUFFER }),
    );
    this.#begin(hub, cursor);
  }

  wants(sessionKey: string): boolean {
    return this.#sessions.size === 0 || this.#sessions.has(sessionKey);
  }

  send(event: SentEvent): void {
    if (this.#isWanted(event)) this.#queue.send(event);
  }

  /**
   * Sends a comment, and the position from which an idle client resumes.
   * @param cursor - cursor after the newest durable event
   */
  keepAlive(cursor: string): void {
    if ((this.#controller?.desiredSize ?? 0) > 0 && this.#queue.isIdle) {
      this.#enqueue(`: keep-alive\nid: ${cursor}\n\n`);
    }
  }

  /**
   * Ends the stream.
   * @param event - last event
   */
  end(event: SentEvent): void {
    this.#write(event, 0);
    this.#end();
  }

  #begin(hub: EventStreamsDependencies["hub"], cursor: string | undefined): void {
    const missed = cursor === undefined ? undefined : hub.since(cursor, this);
    if (missed !== undefined && "events" in missed) {
      this.#enqueue(": resumed\n\n");
      this.#queue.replay(missed.events.filter((event) => this.#isWanted(event)));
    } else {
      this.#enqueue(`: connected\nid: ${hub.cursor}\n\n`);
      if (missed !== undefined) {
        this.#queue.send({ ...resyncEvent(missed.unavailable), cursor: hub.cursor });
      }
    }
    this.#unsubscribe = hub.subscribe(this);
  }

  #isWanted({ name }: SentEvent): boolean {
    return this.#types.size === 0 || this.#types.has(name);
  }

  #write({ name, json, cursor }: SentEvent, dropped: number): void {
    const left = dropped === 0 ? "" : `: ${dropped} previews were left out\n`;
    const id = cursor === undefined ? "" : `id: ${cursor}\n`;
    this.#enqueue(`${left}event: ${name}\n${id}data: ${json}\n\n`);
  }

  #enqueue(text: string): void {
    this.#controller?.enqueue(encoder.encode(text));
  }

  /** Tells a client why its stream ends; it receives this after the events that wait. */
  #endSlow(): void {
    const body: WireErrorBody = { error: wireErrorOf(new SlowClientError()) };
    this.#enqueue(`event: error\ndata: ${JSON.stringify(body)}\n\n`);
    this.#end();
  }

  #end(): void {
    this.#controller?.close();
    this.#forget();
  }

  #forget(): void {
    this.#controller = undefined;
    this.#unsubscribe();
    this.#queue.close();
    this.#onEnd();
  }
}

const encoder = new TextEncoder();
