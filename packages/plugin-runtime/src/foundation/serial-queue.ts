/** Does one piece of work after another, in the order in which they were asked for. */
export class SerialWork {
  #last: Promise<unknown> = Promise.resolve();

  /**
   * Does a piece of work when all before it have settled, however they did.
   * @param work - what to do
   */
  run<Value>(work: () => Promise<Value>): Promise<Value> {
    const done = this.#last.then(work, work);
    this.#last = done.catch(() => undefined);
    return done;
  }

  /** Resolves when nothing is left to do. */
  async idle(): Promise<void> {
    await this.#last;
  }
}
