/** Incremental search among earlier inputs, from the latest one back. */
export class InputSearch {
  readonly #inputs: readonly string[];
  #term = "";
  /** Number of matches that the user passed. */
  #passed = 0;

  /** @param inputs - earlier inputs, oldest first */
  constructor(inputs: readonly string[]) {
    this.#inputs = [...new Set(inputs.toReversed())];
  }

  /** Text that is searched. */
  get term(): string {
    return this.#term;
  }

  /** Input that was found; undefined when there is none. */
  get found(): string | undefined {
    return this.#matches[Math.min(this.#passed, this.#matches.length - 1)];
  }

  /**
   * Searches another text.
   * @param term - part of an input; one without capital letters finds both cases
   */
  find(term: string): void {
    this.#term = term;
    this.#passed = 0;
  }

  /**
   * Shows the next match.
   * @param steps - 1 for an older one, -1 for a newer one; at the ends nothing changes
   */
  step(steps: 1 | -1): void {
    const last = Math.max(0, this.#matches.length - 1);
    this.#passed = Math.max(0, Math.min(last, this.#passed + steps));
  }

  get #matches(): readonly string[] {
    const isExact = this.#term !== this.#term.toLowerCase();
    return this.#inputs.filter((input) =>
      (isExact ? input : input.toLowerCase()).includes(this.#term),
    );
  }
}
