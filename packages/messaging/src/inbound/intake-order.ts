/**
 * Keeps the messages of each session in the order of their commits. A message is processed in the order in which it
 * was stored; while one is stored together with its turn, later messages of its session wait, and while others are
 * stored but not queued yet, none is stored with its turn.
 */
export class IntakeOrder {
  /** Number of messages of each session that are stored, or about to be, and not queued yet. */
  readonly #entering = new Map<string, number>();
  /** Sessions with a message that is stored together with its turn. */
  readonly #direct = new Map<string, Promise<unknown>>();

  /**
   * Returns true if the next message of a session may be stored together with its turn.
   * @param sessionKey - key of the session
   */
  isFree(sessionKey: string): boolean {
    return !this.#entering.has(sessionKey) && !this.#direct.has(sessionKey);
  }

  /**
   * Stores a message together with its turn.
   * @param sessionKey - key of a free session
   * @param store - resolves when the turn is queued
   */
  async storeDirectly<Result>(sessionKey: string, store: () => Promise<Result>): Promise<Result> {
    const stored = store();
    this.#direct.set(
      sessionKey,
      stored.catch(() => undefined),
    );
    try {
      return await stored;
    } finally {
      this.#direct.delete(sessionKey);
    }
  }

  /**
   * Waits until a message may be stored alone.
   * @param sessionKey - key of the session; undefined when the message has no route
   * @returns a handle whose `end` is called when the message is queued
   */
  async enter(sessionKey: string | undefined): Promise<{ end(): void }> {
    if (sessionKey === undefined) return { end: () => undefined };
    while (this.#direct.has(sessionKey)) await this.#direct.get(sessionKey);
    this.#entering.set(sessionKey, (this.#entering.get(sessionKey) ?? 0) + 1);
    let isEntering = true;
    return {
      end: () => {
        if (!isEntering) return;
        isEntering = false;
        const left = (this.#entering.get(sessionKey) ?? 1) - 1;
        if (left === 0) this.#entering.delete(sessionKey);
        else this.#entering.set(sessionKey, left);
      },
    };
  }
}
