import type { InboundMessage } from "../messages/inbound.js";

/** Number of messages of one conversation that may wait before its channel is slowed down. */
const FREE = 3;
/** Pause for each further message, in milliseconds. */
const PAUSE_MS = 10;
/** Longest pause, in milliseconds. */
const LONGEST_PAUSE_MS = 100;

/** Counts the messages of each conversation, or thread of one, whose work has not ended. */
export class WaitingMessages {
  readonly #counts = new Map<string, number>();

  /**
   * Counts a message until the returned function is called.
   * @param message - message of a channel
   */
  add(message: InboundMessage): () => void {
    const key = keyOf(message);
    this.#counts.set(key, this.#of(key) + 1);
    return () => {
      const left = this.#of(key) - 1;
      if (left === 0) this.#counts.delete(key);
      else this.#counts.set(key, left);
    };
  }

  /**
   * Returns the pause of a channel after a message, in milliseconds: none while no more messages of the conversation wait
   * than a person writes during an answer, and longer with each further one.
   * @param message - message of the conversation
   */
  pauseAfter(message: InboundMessage): number {
    const more = this.#of(keyOf(message)) - FREE;
    return Math.min(LONGEST_PAUSE_MS, Math.max(0, more * PAUSE_MS));
  }

  #of(key: string): number {
    return this.#counts.get(key) ?? 0;
  }
}

function keyOf({ channel, accountId, conversationId, threadId }: InboundMessage): string {
  return JSON.stringify([channel, accountId, conversationId, threadId]);
}
