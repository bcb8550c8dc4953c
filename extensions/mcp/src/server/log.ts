/** Number of lines that are kept. */
const KEPT_LINES = 200;
/** Number of lines that are passed on to the log of the host in a minute. */
const LOGGED_LINES = 60;
const MINUTE_MS = 60_000;

/** Newest lines that a server wrote that are not messages, bounded for a server that floods its log (EXT-013). */
export class ServerLog {
  readonly #lines: string[] = [];
  #minute = { since: 0, count: 0 };

  get lines(): readonly string[] {
    return this.#lines;
  }

  /**
   * Keeps a line.
   * @param line - line without its end
   * @returns true when it may go to the log of the host
   */
  add(line: string): boolean {
    this.#lines.push(line);
    if (this.#lines.length > KEPT_LINES) this.#lines.shift();
    const now = performance.now();
    if (now - this.#minute.since > MINUTE_MS || this.#minute.since === 0) {
      this.#minute = { since: now, count: 0 };
    }
    this.#minute.count += 1;
    return this.#minute.count <= LOGGED_LINES;
  }
}
