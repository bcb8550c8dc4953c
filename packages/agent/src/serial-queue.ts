/** Runs work under the same key one after another, in the order it was asked for. */
export class SerialQueue {
  readonly #last = new Map<string, Promise<unknown>>();

  /**
   * @param key - what must not be worked on twice at a time
   * @param work - runs when everything asked for earlier under the key has ended, however it ended
   * @returns what the work returns or throws
   */
  async run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.#last.get(key) ?? Promise.resolve();
    const mine = before.then(work, work);
    this.#last.set(key, mine);
    try {
      return await mine;
    } finally {
      if (this.#last.get(key) === mine) this.#last.delete(key);
    }
  }
}
