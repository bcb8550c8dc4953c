const MAXIMUM_WAITING = 100;
/** Number of replies that are kept for a repeat of their request. */
const MAXIMUM_KEPT = 256;

/** Requests that wait for the reply to their message, and the last replies. */
export class WaitingReplies {
  readonly #waiting = new Map<string, Set<(reply: string) => void>>();
  readonly #kept = new Map<string, string>();
  #count = 0;

  /** True when no further request may wait (CHAN-025). */
  get isFull(): boolean {
    return this.#count >= MAXIMUM_WAITING;
  }

  /**
   * Waits for the reply to a message.
   * @param messageId - ID of the message
   * @param limit - ends the wait
   * @returns undefined when the signal aborted first
   */
  wait(messageId: string, limit: AbortSignal): Promise<string | undefined> {
    const known = this.#kept.get(messageId);
    if (known !== undefined || limit.aborted) return Promise.resolve(known);
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(messageId) ?? new Set();
      this.#waiting.set(messageId, waiting);
      this.#count += 1;
      const end = (reply: string | undefined) => {
        if (!waiting.delete(end)) return;
        this.#count -= 1;
        if (waiting.size === 0) this.#waiting.delete(messageId);
        limit.removeEventListener("abort", give);
        resolve(reply);
      };
      const give = () => end(undefined);
      waiting.add(end);
      limit.addEventListener("abort", give);
    });
  }

  /**
   * Gives a reply to the requests that wait for it.
   * @param messageId - ID of the message
   * @param reply - text
   * @returns false when none waits
   */
  answer(messageId: string, reply: string): boolean {
    this.#kept.delete(messageId);
    this.#kept.set(messageId, reply);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MAXIMUM_KEPT && oldest !== undefined) this.#kept.delete(oldest);
    const waiting = [...(this.#waiting.get(messageId) ?? [])];
    for (const end of waiting) end(reply);
    return waiting.length > 0;
  }
}
