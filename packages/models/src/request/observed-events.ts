import type { ModelEvent } from "./event.js";

/** Observer of a sequence of events. */
export interface EventObserver {
  /** Receives each event before the reader does. */
  onEvent?(event: ModelEvent): void;
  /** Returns the error that the reader receives instead of the thrown one. */
  onError?(error: unknown): unknown;
  /** Called once, when the sequence was read to its end, failed, or the reader left it. */
  onEnd?(how: "complete" | "failed" | "left"): void;
}

/**
 * Events with an observer. It is written as an iterator, because a generator around another one costs several
 * microseconds for each event.
 */
export class ObservedEvents implements AsyncGenerator<ModelEvent, void, undefined> {
  readonly #events: AsyncGenerator<ModelEvent, void, undefined>;
  readonly #observer: EventObserver;
  #hasEnded = false;

  constructor(events: AsyncGenerator<ModelEvent, void, undefined>, observer: EventObserver) {
    this.#events = events;
    this.#observer = observer;
  }

  next(): Promise<IteratorResult<ModelEvent, void>> {
    return this.#events.next().then(this.#received, this.#failed);
  }

  async return(): Promise<IteratorResult<ModelEvent, void>> {
    this.#end("left");
    await this.#events.return();
    return { done: true, value: undefined };
  }

  async throw(error: unknown): Promise<IteratorResult<ModelEvent, void>> {
    await this.return();
    throw error;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }

  readonly #received = (result: IteratorResult<ModelEvent, void>) => {
    if (result.done === true) this.#end("complete");
    else this.#observer.onEvent?.(result.value);
    return result;
  };

  readonly #failed = (error: unknown): never => {
    const shown = this.#observer.onError?.(error) ?? error;
    this.#end("failed");
    throw shown;
  };

  #end(how: "complete" | "failed" | "left"): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#observer.onEnd?.(how);
  }
}
