/** A transaction that waits for its turn. */
interface Waiting {
  readonly session: string | undefined;
  begin(): void;
}

/**
 * Order of the write transactions of one process. A transaction of a session waits for earlier ones of the same session
 * only; any other runs alone. No transaction overtakes one that runs alone and came before it.
 */
export class WriteTurns {
  readonly #waiting: Waiting[] = [];
  readonly #sessions = new Set<string>();
  #isAlone = false;

  /**
   * Waits for the turn of a transaction.
   * @param session - session whose rows it changes; undefined for one that runs alone
   * @returns ends the turn; a second call does nothing
   */
  async acquire(session?: string): Promise<() => void> {
    await new Promise<void>((begin) => {
      this.#waiting.push({ session, begin });
      this.#admit();
    });
    let hasEnded = false;
    return () => {
      if (hasEnded) return;
      hasEnded = true;
      if (session === undefined) this.#isAlone = false;
      else this.#sessions.delete(session);
      this.#admit();
    };
  }

  #admit(): void {
    const busy = new Set(this.#sessions);
    for (let place = 0; place < this.#waiting.length && !this.#isAlone; ) {
      const next = this.#waiting[place];
      if (next === undefined) return;
      const { session } = next;
      if (session === undefined) {
        if (place > 0 || this.#sessions.size > 0) return;
        this.#isAlone = true;
      } else {
        if (busy.has(session)) {
          place += 1;
          continue;
        }
        busy.add(session);
        this.#sessions.add(session);
      }
      this.#waiting.splice(place, 1);
      next.begin();
    }
  }
}
