/** Records how to undo the steps of a start, and undoes them in reverse order. */
export class StartSequence {
  readonly #steps: (() => unknown)[] = [];

  /**
   * Adds the function that undoes a step that has just succeeded.
   * @param undo - function that may be asynchronous
   */
  add(undo: () => unknown): void {
    this.#steps.push(undo);
  }

  /** Undoes every step, the last one first; a failure does not prevent the others. */
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
