/** Length of the end of the output that is kept, in characters. */
const KEPT = 4096;

/** End of the output of a worker, without its token. */
export class WorkerOutput {
  #text = "";

  /**
   * Adds output.
   * @param text - output
   */
  append(text: string): void {
    this.#text = (this.#text + text).slice(-KEPT);
  }

  /** Returns the end of the output. */
  text(): string {
    return this.#text.trim();
  }
}
