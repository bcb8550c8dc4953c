/** Remembers how to undo what a start has done, and undoes it in reverse. */
export class StartSequence {
  readonly #steps: (() => unknown)[] = [];

  /**
   * Adds the undoing of a step that has just succeeded.
   * @param undo - may be asynchronous
   */
  add(undo: () => unknown): void {
    this.#steps.push(undo);
  }

  /** Undoes every step, the last one first; one that fails does not keep the others from it. */
  async run(): Promise<void> {
    const failures: unknown[] = [];
    for (let undo = this.#steps.pop(); undo !== undefined; undo = this.#steps.pop()) {
      try {
        await undo();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, "the host did not close cleanly");
  }
}
