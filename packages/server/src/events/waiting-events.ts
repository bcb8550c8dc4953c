import type { SentEvent } from "./event-log.js";

/** Event that waits for its receiver. */
export interface WaitingEvent {
  readonly event: SentEvent;
  /** Number of droppable events that were left out before it. */
  readonly dropped: number;
}

interface Entry {
  event: SentEvent;
  dropped: number;
  /** Size of the payload in bytes. */
  size: number;
  /** Turn of an event of a session. */
  readonly runId: string | undefined;
  /** Text of a preview, with which later ones are merged. */
  delta: string | undefined;
}

/**
 * Events that wait for one receiver, oldest first. Previews of a reply that follow each other are merged; a newer
 * update of a tool call and a newer tick replace the older one (GW-018).
 */
export class WaitingEvents {
  #entries: Entry[] = [];
  #size = 0;
  #dropped = 0;

  /** Number of events. */
  get length(): number {
    return this.#entries.length;
  }

  /** Size of the payloads in bytes. */
  get size(): number {
    return this.#size;
  }

  /**
   * Adds an event.
   * @param event - event, newer than those that wait
   */
  add(event: SentEvent): void {
    const entry = this.#entryOf(event);
    if (event.name === "chat.delta" && this.#merge(entry)) return;
    if (event.name === "tool.update" || event.name === "tick") this.#removeOlder(event);
    entry.dropped = this.#dropped;
    this.#dropped = 0;
    this.#entries.push(entry);
    this.#size += entry.size;
  }

  /** Removes the oldest event. */
  take(): WaitingEvent | undefined {
    const entry = this.#entries.shift();
    if (entry === undefined) return undefined;
    this.#size -= entry.size;
    const { dropped, delta } = entry;
    const event = delta === undefined ? entry.event : withDelta(entry.event, delta);
    return { event, dropped };
  }

  /** Removes the droppable events; the next event tells how many. */
  dropPreviews(): void {
    let dropped = 0;
    this.#entries = this.#entries.filter((entry) => {
      if (entry.event.delivery === "droppable") {
        dropped += entry.dropped + 1;
        this.#size -= entry.size;
        return false;
      }
      entry.dropped += dropped;
      dropped = 0;
      return true;
    });
    this.#dropped += dropped;
  }

  /** Counts a droppable event that was not added. */
  countDropped(): void {
    this.#dropped += 1;
  }

  /** Returns the number of events that were left out since the last one, which the next one tells. */
  takeDropped(): number {
    const dropped = this.#dropped;
    this.#dropped = 0;
    return dropped;
  }

  #entryOf(event: SentEvent): Entry {
    const size = Buffer.byteLength(event.json);
    const { runId, delta } = event.sessionKey === undefined ? NO_TURN : turnOf(event);
    return { event, dropped: 0, size, runId, delta };
  }

  /** Merges a preview with the last event of its turn, if that is a preview too. */
  #merge({ runId, delta, size }: Entry): boolean {
    const last = this.#entries.findLast((each) => each.runId === runId);
    if (last?.delta === undefined || delta === undefined) return false;
    last.delta += delta;
    last.size += size;
    this.#size += size;
    return true;
  }

  #removeOlder({ name, json }: SentEvent): void {
    const call = name === "tick" ? undefined : toolCallOf(json);
    const index = this.#entries.findIndex(
      ({ event }) => event.name === name && (name === "tick" || toolCallOf(event.json) === call),
    );
    const [older] = index < 0 ? [] : this.#entries.splice(index, 1);
    if (older === undefined) return;
    this.#size -= older.size;
    const next = this.#entries[index];
    // A tick says nothing that a newer one does not say.
    const left = older.dropped + (name === "tick" ? 0 : 1);
    if (next === undefined) this.#dropped += left;
    else next.dropped += left;
  }
}

const NO_TURN = { runId: undefined, delta: undefined };

function turnOf({ name, json }: SentEvent): Pick<Entry, "runId" | "delta"> {
  const { runId, delta } = fieldsOf(json);
  return {
    runId: typeof runId === "string" ? runId : undefined,
    delta: name === "chat.delta" && typeof delta === "string" ? delta : undefined,
  };
}

function toolCallOf(json: string): string {
  const { runId, toolCallId } = fieldsOf(json);
  return JSON.stringify([runId, toolCallId]);
}

function withDelta(event: SentEvent, delta: string): SentEvent {
  return { ...event, json: JSON.stringify({ ...fieldsOf(event.json), delta }) };
}

function fieldsOf(json: string): Readonly<Record<string, unknown>> {
  return JSON.parse(json) as Readonly<Record<string, unknown>>;
}
