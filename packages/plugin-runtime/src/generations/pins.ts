/** Counts the users of each generation, so that an old one is disposed only when unused. */
export class GenerationPins {
  readonly #held = new Map<number, number>();
  readonly #waiting = new Set<() => void>();

  /**
   * Pins a generation.
   * @returns a function that releases it; further calls have no effect
   */
  hold(generation: number): () => void {
    this.#held.set(generation, (this.#held.get(generation) ?? 0) + 1);
    let holding = true;
    return () => {
      if (!holding) return;
      holding = false;
      const left = (this.#held.get(generation) ?? 1) - 1;
      if (left > 0) this.#held.set(generation, left);
      else this.#held.delete(generation);
      for (const check of this.#waiting) check();
    };
  }

  /**
   * Resolves when every generation in a range is unused, or at the deadline.
   * @param from - number of the first generation that must be unused
   * @param upTo - number of the last one
   * @param deadlineMs - maximum time to wait, in milliseconds
   */
  async released(from: number, upTo: number, deadlineMs: number): Promise<void> {
    const isFree = () =>
      [...this.#held.keys()].every((generation) => generation < from || generation > upTo);
    if (isFree()) return;
    await new Promise<void>((resolve) => {
      const finish = () => {
        clearTimeout(timer);
        this.#waiting.delete(check);
        resolve();
      };
      const check = () => {
        if (isFree()) finish();
      };
      const timer = setTimeout(finish, deadlineMs).unref();
      this.#waiting.add(check);
    });
  }
}
