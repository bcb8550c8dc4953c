/** Maximum number of conversations whose messages are remembered. */
const MOST_CONVERSATIONS = 1000;
/**
 * Waits after the rejections of one message that no known message explains: Meta asks for powers of 4 seconds, and these
 * outlast the 270 seconds that a whole burst of 45 messages borrows.
 */
const UNEXPLAINED_MS = [16_000, 64_000, 256_000] as const;

/**
 * Time that the sent messages of each conversation take, for a platform that rejects too many of them without saying how
 * long to wait: messages in quick succession borrow the time of later ones. Messages before a restart, and those of other
 * clients of the account, are not known; a rejection shows that there were some.
 */
export class Pace {
  readonly #everyMs: number;
  readonly #now: () => number;
  /** End of the time of the sent messages, in milliseconds since the epoch. */
  readonly #until = new Map<string, number>();
  /** Number of rejections in a row that no known message explains. */
  readonly #unexplained = new Map<string, number>();

  /**
   * @param everyMs - time that each message needs, in milliseconds
   * @param now - returns milliseconds since the epoch
   */
  constructor(everyMs: number, now: () => number) {
    this.#everyMs = everyMs;
    this.#now = now;
  }

  /** Counts a message that the platform accepted. */
  sent(conversation: string): void {
    const until = Math.max(this.#until.get(conversation) ?? 0, this.#now()) + this.#everyMs;
    this.#unexplained.delete(conversation);
    this.#until.delete(conversation);
    this.#until.set(conversation, until);
    const [oldest] = this.#until.keys();
    if (this.#until.size > MOST_CONVERSATIONS && oldest !== undefined) this.#until.delete(oldest);
  }

  /**
   * Counts a message that the platform rejected for its rate.
   * @param conversation - conversation of the rejected message
   * @returns time to wait in milliseconds
   */
  rejected(conversation: string): number {
    const known = (this.#until.get(conversation) ?? 0) - this.#now();
    if (known >= this.#everyMs) return known;
    const before = this.#unexplained.get(conversation) ?? 0;
    this.#unexplained.set(conversation, before + 1);
    const [oldest] = this.#unexplained.keys();
    if (this.#unexplained.size > MOST_CONVERSATIONS && oldest !== undefined) {
      this.#unexplained.delete(oldest);
    }
    return UNEXPLAINED_MS[before] ?? UNEXPLAINED_MS[2];
  }
}
