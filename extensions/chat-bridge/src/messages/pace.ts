/** Maximum number of conversations whose messages are remembered. */
const MOST_CONVERSATIONS = 1000;

/**
 * Time that the sent messages of each conversation take, for a platform that rejects too many of them without saying how
 * long to wait: messages in quick succession borrow the time of later ones.
 */
export class Pace {
  readonly #everyMs: number;
  readonly #now: () => number;
  /** End of the time of the sent messages, in milliseconds since the epoch. */
  readonly #until = new Map<string, number>();

  /**
   * @param everyMs - time that each message needs, in milliseconds
   * @param now - returns milliseconds since the epoch
   */
  constructor(everyMs: number, now: () => number) {
    this.#everyMs = everyMs;
    this.#now = now;
  }

  /**
   * Counts a message that the platform accepted.
   * @param conversation - its conversation
   */
  sent(conversation: string): void {
    const until = Math.max(this.#until.get(conversation) ?? 0, this.#now()) + this.#everyMs;
    this.#until.delete(conversation);
    this.#until.set(conversation, until);
    const [oldest] = this.#until.keys();
    if (this.#until.size > MOST_CONVERSATIONS && oldest !== undefined) this.#until.delete(oldest);
  }

  /**
   * Returns the time to wait after a rejection, in milliseconds.
   * @param conversation - conversation of the rejected message
   */
  waitOf(conversation: string): number {
    return Math.max((this.#until.get(conversation) ?? 0) - this.#now(), this.#everyMs);
  }
}
