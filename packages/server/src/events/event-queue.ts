import type { TimerHandle, Timers } from "@openclaw/foundation";
import type { SentEvent } from "./event-log.js";
import { WaitingEvents } from "./waiting-events.js";

/** Bounds of the events that wait for one receiver (GW-018). */
export interface EventQueueLimits {
  /** Maximum size in bytes. */
  readonly bytes: number;
  /** Maximum number. */
  readonly events: number;
  /** Time in milliseconds in which a receiver over the bounds must have received everything. */
  readonly drainMs: number;
}

/** Bounds of GW-018. */
const EVENT_QUEUE_LIMITS: EventQueueLimits = {
  bytes: 4 * 1024 * 1024,
  events: 1000,
  drainMs: 10_000,
};

/** Bytes that the transport buffers itself; events beyond it wait where they can be merged or dropped. */
const WRITE_AHEAD = 64 * 1024;
/** Multiple of the bounds at which a receiver is closed without waiting for it. */
const HARD_LIMIT = 2;

/** Transport of the events of one receiver. */
export interface EventSink {
  /** Bytes that were written and not sent yet. */
  readonly bufferedBytes: number;
  /**
   * Writes an event.
   * @param event - event with the payload as JSON
   * @param dropped - number of droppable events that were left out before it
   */
  write(event: SentEvent, dropped: number): void;
  /** Closes a receiver that reads too slowly. */
  closeSlow(): void;
}

/**
 * Sends events to one receiver at its speed. A receiver that is too slow loses droppable events first, and is closed
 * when it does not catch up; it then reads the durable events again after its cursor (GW-018).
 */
export class EventQueue {
  readonly #sink: EventSink;
  readonly #timers: Timers;
  readonly #limits: EventQueueLimits;
  #waiting: WaitingEvents | undefined;
  /** Earlier events that are sent first, newest first; they are kept by the log and use no further memory. */
  #replay: SentEvent[] = [];
  #deadline: TimerHandle | undefined;
  #isClosed = false;

  /**
   * @param sink - transport
   * @param timers - timers for the deadline of a slow receiver
   * @param limits - bounds
   */
  constructor(sink: EventSink, timers: Timers, limits: EventQueueLimits = EVENT_QUEUE_LIMITS) {
    this.#sink = sink;
    this.#timers = timers;
    this.#limits = limits;
  }

  /** True while the receiver is over the bounds and has not caught up. */
  get isSlow(): boolean {
    return this.#deadline !== undefined;
  }

  /**
   * Sends an event, or keeps it until the receiver has read the events before it.
   * @param event - event with the payload as JSON
   */
  send(event: SentEvent): void {
    if (this.#isClosed) return;
    if (this.isIdle && this.#mayWrite) this.#sink.write(event, this.#waiting?.takeDropped() ?? 0);
    else this.#keep(event);
  }

  /**
   * Sends the events that the receiver missed; called before the first {@link EventQueue.send}.
   * @param events - events of the log, oldest first
   */
  replay(events: readonly SentEvent[]): void {
    this.#replay = events.toReversed();
    this.flush();
  }

  /** Continues to send; called when the transport has sent something. */
  flush(): void {
    if (this.#isClosed) return;
    while (this.#mayWrite) {
      const event = this.#replay.pop();
      if (event === undefined) break;
      this.#sink.write(event, 0);
    }
    while (this.#replay.length === 0 && this.#mayWrite) {
      const next = this.#waiting?.take();
      if (next === undefined) break;
      this.#sink.write(next.event, next.dropped);
    }
    if (this.isIdle && this.#mayWrite) this.#clearDeadline();
  }

  /** Checks the bounds after something else was written to the transport. */
  checkLimits(): void {
    if (this.#sink.bufferedBytes > this.#limits.bytes) this.#limit();
  }

  /** Discards the events that wait. */
  close(): void {
    this.#isClosed = true;
    this.#clearDeadline();
    this.#waiting = undefined;
    this.#replay = [];
  }

  /** True when no event waits. */
  get isIdle(): boolean {
    return this.#replay.length === 0 && (this.#waiting === undefined || this.#waiting.length === 0);
  }

  get #mayWrite(): boolean {
    return this.#sink.bufferedBytes <= WRITE_AHEAD;
  }

  #keep(event: SentEvent): void {
    this.#waiting ??= new WaitingEvents();
    if (event.delivery === "droppable" && this.#excess() >= 1) {
      this.#waiting.countDropped();
      return;
    }
    this.#waiting.add(event);
    if (this.#excess() > 1) this.#limit();
  }

  /** Share of the bounds that is used; more than 1 when they are exceeded. */
  #excess(): number {
    const { bytes, events } = this.#limits;
    const { size = 0, length = 0 } = this.#waiting ?? {};
    return Math.max((size + this.#sink.bufferedBytes) / bytes, length / events);
  }

  #limit(): void {
    this.#waiting?.dropPreviews();
    const { bytes, events } = this.#limits;
    const { size = 0, length = 0 } = this.#waiting ?? {};
    if (Math.max(size / bytes, length / events) > HARD_LIMIT) {
      this.#closeSlow();
      return;
    }
    this.#deadline ??= this.#timers.setTimeout(() => this.#closeSlow(), this.#limits.drainMs);
  }

  #closeSlow(): void {
    this.close();
    this.#sink.closeSlow();
  }

  #clearDeadline(): void {
    if (this.#deadline === undefined) return;
    this.#timers.clearTimeout(this.#deadline);
    this.#deadline = undefined;
  }
}
