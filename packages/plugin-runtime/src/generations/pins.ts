/** Counts who still works with which generation, so that an old one is taken apart only when free. */
export class GenerationPins {
  readonly #held = new Map<number, number>();
  readonly #waiting = new Set<() => void>();

  /**
   * Holds a generation.
   * @param generation - its number
   * @returns a function that lets it go; calling it again does nothing
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
   * Resolves when nobody holds any of a range of generations any more, or at the deadline.
   * @param from - number of the first generation that must be free
   * @param upTo - number of the last one
   * @param deadlineMs - how long to wait at most, in milliseconds
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
