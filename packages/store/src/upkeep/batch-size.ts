/**
 * Number of rows in the next of many transactions: smaller after a slow transaction, larger again
 * after fast ones.
 */
export class BatchSize {
  readonly #largest: number;
  readonly #longMs: number;
  #limit: number;

  /**
   * @param largest - maximum number of rows in one transaction
   * @param longMs - milliseconds after which a transaction counts as slow
   */
  constructor(largest: number, longMs: number) {
    this.#largest = largest;
    this.#longMs = longMs;
    this.#limit = largest;
  }

  /** Maximum number of rows in the next transaction. */
  get limit(): number {
    return this.#limit;
  }

  /**
   * Records the duration of the last transaction.
   * @param milliseconds - time from its beginning to its commit
   */
  took(milliseconds: number): void {
    const next = milliseconds > this.#longMs ? Math.floor(this.#limit / 2) : this.#limit * 2;
    this.#limit = Math.min(this.#largest, Math.max(1, next));
  }
}
