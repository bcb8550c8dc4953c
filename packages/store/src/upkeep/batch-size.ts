/** How many rows the next of many transactions takes: fewer once one took long, more again after quick ones. */
export class BatchSize {
  readonly #largest: number;
  readonly #longMs: number;
  #limit: number;

  /**
   * @param largest - rows that one takes at most
   * @param longMs - milliseconds after which one counts as long
   */
  constructor(largest: number, longMs: number) {
    this.#largest = largest;
    this.#longMs = longMs;
    this.#limit = largest;
  }

  /** Rows that the next one may take. */
  get limit(): number {
    return this.#limit;
  }

  /**
   * Heeds how long the last one took.
   * @param milliseconds - from its begin to its commit
   */
  took(milliseconds: number): void {
    const next = milliseconds > this.#longMs ? Math.floor(this.#limit / 2) : this.#limit * 2;
    this.#limit = Math.min(this.#largest, Math.max(1, next));
  }
}
