import type { Update } from "grammy/types";

/** Update that waits for the host. */
export interface WaitingUpdate {
  readonly update: Update;
  /** Called when the host has stored the message of the update, or does not need it. */
  accepted(): void;
}

/** Updates that Telegram sends to the webhook; each request is answered once its update is accepted. */
export class UpdateQueue {
  readonly #waiting: WaitingUpdate[] = [];
  #wake: (() => void) | undefined;

  /**
   * Adds an update.
   * @param update - body of a request
   * @returns promise that settles when the update is accepted
   */
  add(update: Update): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push({ update, accepted: resolve });
      this.#wake?.();
    });
  }

  /**
   * Returns the updates in order, until a signal aborts.
   * @param signal - ends the stream
   */
  async *read(signal: AbortSignal): AsyncGenerator<WaitingUpdate> {
    while (!signal.aborted) {
      const next = this.#waiting.shift();
      if (next !== undefined) {
        yield next;
        continue;
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        signal.addEventListener("abort", () => resolve(), { once: true });
      });
    }
  }
}
