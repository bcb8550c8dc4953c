/** Values that are pushed, as a stream with one reader; ends after the values that were pushed before its end. */
export class MessageStream<Value> implements AsyncIterable<Value> {
  readonly #values: Value[] = [];
  #wake: (() => void) | undefined;
  #ending: { readonly error: Error | undefined } | undefined;

  /**
   * Adds a value.
   * @param value - next value of the stream
   */
  push(value: Value): void {
    this.#values.push(value);
    this.#wake?.();
  }

  /**
   * Ends the stream.
   * @param error - error with which it ends; none when absent
   */
  end(error?: Error): void {
    this.#ending ??= { error };
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Value> {
    for (;;) {
      const next = this.#values.shift();
      if (next !== undefined) yield next;
      else if (this.#ending?.error !== undefined) throw this.#ending.error;
      else if (this.#ending !== undefined) return;
      else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
  }
}
