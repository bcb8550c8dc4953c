import { GatewayOverloadError } from "./errors.js";

/** Number of items that wait for a reader, above which it is too slow. */
const MAXIMUM = 10_000;

/** Items that are pushed by one side and read by the other with `for await`. One reader at a time. */
export class AsyncQueue<Item> {
  #items: Item[] = [];
  #end: { readonly error?: unknown } | undefined;
  #wake = () => {};

  /**
   * Adds an item; ends the queue with an error when the reader is too slow.
   * @param item - item to read
   */
  push(item: Item): void {
    if (this.#end !== undefined) return;
    if (this.#items.length >= MAXIMUM) {
      const rule = "read the events faster, or read fewer of them";
      this.end(new GatewayOverloadError(`${MAXIMUM} events wait for their reader; ${rule}`));
      return;
    }
    this.#items.push(item);
    this.#wake();
  }

  /**
   * Ends the queue after the items that wait.
   * @param error - thrown to the reader
   */
  end(error?: unknown): void {
    this.#end ??= error === undefined ? {} : { error };
    this.#wake();
  }

  /**
   * Reads the items until the queue ends.
   * @throws the error with which the queue ended
   */
  async *read(): AsyncGenerator<Item, void, undefined> {
    for (;;) {
      const items = this.#items;
      this.#items = [];
      yield* items;
      if (this.#items.length > 0) continue;
      if (this.#end !== undefined) {
        if ("error" in this.#end) throw this.#end.error;
        return;
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
