import { AsyncQueue } from "../async-queue.js";
import type { EventName, ReceivedEvent } from "./event.js";

/** Receiver of events. */
export type EventListener<Name extends EventName = EventName> = (
  event: ReceivedEvent<Name>,
) => void;

/** Which events an iterator yields. */
export interface EventFilter<Name extends EventName> {
  /** Names of the events; every event when absent. */
  readonly names?: readonly Name[] | undefined;
  /** Ends the iterator. */
  readonly signal?: AbortSignal | undefined;
}

/** Listeners of the events of a connection. */
export class EventListeners {
  readonly #listeners = new Set<EventListener>();
  readonly #queues = new Set<AsyncQueue<ReceivedEvent>>();
  #end: { readonly error?: unknown } | undefined;

  /**
   * Adds a listener of one event.
   * @param name - name of the event
   * @param listener - called for each event, in order
   * @returns function that removes the listener
   */
  on<Name extends EventName>(name: Name, listener: EventListener<Name>): () => void {
    const isNamed = (event: ReceivedEvent): event is ReceivedEvent<Name> => event.name === name;
    return this.onAny((event) => {
      if (isNamed(event)) listener(event);
    });
  }

  /**
   * Adds a listener of every event.
   * @param listener - called for each event, in order
   * @returns function that removes the listener
   */
  onAny(listener: EventListener): () => void {
    // Each call adds its own function, so that a listener that is added twice is also removed twice.
    const added: EventListener = (event) => listener(event);
    this.#listeners.add(added);
    return () => void this.#listeners.delete(added);
  }

  /**
   * Returns the events from now on, for `for await`.
   * @param filter - names, and the signal that ends the iterator
   */
  read<Name extends EventName>({
    names,
    signal,
  }: EventFilter<Name>): AsyncGenerator<ReceivedEvent<Name>, void, undefined> {
    const isWanted = (event: ReceivedEvent): event is ReceivedEvent<Name> =>
      names === undefined || names.some((name) => name === event.name);
    const queue = new AsyncQueue<ReceivedEvent>();
    if (this.#end !== undefined) queue.end(this.#end.error);
    this.#queues.add(queue);
    const remove = this.onAny((event) => {
      if (isWanted(event)) queue.push(event);
    });
    const stop = () => queue.end();
    if (signal?.aborted === true) stop();
    signal?.addEventListener("abort", stop, { once: true });
    const release = () => {
      remove();
      this.#queues.delete(queue);
      signal?.removeEventListener("abort", stop);
    };
    return (async function* () {
      try {
        for await (const event of queue.read()) if (isWanted(event)) yield event;
      } finally {
        release();
      }
    })();
  }

  /**
   * Calls the listeners. The error of a listener does not keep an event from the others; it is thrown later, as an
   * uncaught error.
   */
  emit(event: ReceivedEvent): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(event);
      } catch (error) {
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }

  /**
   * Ends the iterators.
   * @param error - thrown to their readers; absent when the client closed the connection
   */
  end(error?: unknown): void {
    this.#end = error === undefined ? {} : { error };
    this.#listeners.clear();
    for (const queue of this.#queues) queue.end(error);
  }
}
