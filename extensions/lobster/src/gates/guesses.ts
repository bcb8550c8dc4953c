const MOST_GUESSES = 10;
const WINDOW_MS = 60_000;

/** Limits the number of codes that a session can try (LOB-026). */
export class CodeGuesses {
  readonly #now: () => number;
  readonly #tries = new Map<string, number[]>();

  /** @param now - returns milliseconds since the epoch */
  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * Counts a try.
   * @param sessionKey - session of the caller
   * @returns false when the session has no tries left in this minute
   */
  take(sessionKey: string): boolean {
    const since = this.#now() - WINDOW_MS;
    const recent = (this.#tries.get(sessionKey) ?? []).filter((at) => at > since);
    if (recent.length >= MOST_GUESSES) return false;
    this.#tries.set(sessionKey, [...recent, this.#now()]);
    return true;
  }

  /** @param sessionKey - session whose code was right */
  forgive(sessionKey: string): void {
    this.#tries.get(sessionKey)?.pop();
  }
}
