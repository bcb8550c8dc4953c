import type { IncomingMessage } from "./message.js";

const MAXIMUM_LENGTH = 256;

/** Fate of a queued message: `closed` when the channel stopped before the host stored it. */
export type QueueReception = "stored" | "late" | "closed";

interface QueuedMessage {
  readonly message: IncomingMessage;
  settle(reception: QueueReception): void;
}

/**
 * Messages of requests that the host has not stored yet, for a channel whose messages arrive by webhook: the request is
 * answered once the host has its message.
 */
export class MessageQueue {
  readonly #waiting: QueuedMessage[] = [];
  /** Messages that the host has, or will get. */
  readonly #open = new Set<QueuedMessage>();
  #wake: (() => void) | undefined;

  /** True when no further message is accepted (CHAN-026). */
  get isFull(): boolean {
    return this.#waiting.length >= MAXIMUM_LENGTH;
  }

  /**
   * Adds a message.
   * @param message - message of a request
   * @param patienceMs - time after which the request is answered without the host, in milliseconds
   * @returns promise that settles when the host has stored the message; a late message that the host does not have
   * yet is dropped
   */
  add(message: IncomingMessage, patienceMs: number): Promise<QueueReception> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        const index = this.#waiting.indexOf(queued);
        if (index >= 0) this.#waiting.splice(index, 1);
        queued.settle("late");
      }, patienceMs);
      const queued: QueuedMessage = {
        message,
        settle: (reception) => {
          clearTimeout(timer);
          this.#open.delete(queued);
          resolve(reception);
        },
      };
      this.#open.add(queued);
      this.#waiting.push(queued);
      this.#wake?.();
    });
  }

  /**
   * Returns the messages in order, until a signal aborts; requests that still wait are then answered.
   * @param signal - ends the stream
   */
  async *read(signal: AbortSignal): AsyncGenerator<IncomingMessage> {
    const wake = () => this.#wake?.();
    signal.addEventListener("abort", wake);
    try {
      while (!signal.aborted) {
        const next = this.#waiting.shift();
        if (next !== undefined) {
          yield { ...next.message, acknowledge: () => next.settle("stored") };
          continue;
        }
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    } finally {
      signal.removeEventListener("abort", wake);
      this.#waiting.length = 0;
      for (const queued of this.#open) queued.settle("closed");
    }
  }
}
