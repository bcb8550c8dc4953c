import type { InboundMessage } from "../messages/inbound.js";

/** Number of messages of one conversation that may wait before its channel is slowed down. */
const MOST_WAITING = 10;

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
   * Returns true when more messages of a conversation wait than a person writes during an answer.
   * @param message - message of the conversation
   */
  areMany(message: InboundMessage): boolean {
    return this.#of(keyOf(message)) > MOST_WAITING;
  }

  #of(key: string): number {
    return this.#counts.get(key) ?? 0;
  }
}

function keyOf({ channel, accountId, conversationId, threadId }: InboundMessage): string {
  return JSON.stringify([channel, accountId, conversationId, threadId]);
}
