/** Time between an event and the write of its record, in milliseconds; records of this time are written together. */
const DELAY_MS = 200;

/** Writes what waits. It reports its own failures and never rejects. */
type Write = () => Promise<void>;

/**
 * Writes the records of the guards behind the turns that cause them: a commit for each event would take longer than the
 * rest of a guard. A crash loses the records of the last moment; the end of the plugin writes them.
 */
export class WriteBehind {
  readonly #due = new Set<Write>();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();

  /**
   * Runs a write soon, once for all calls until then.
   * @param write - writes everything that waits in its place
   */
  schedule(write: Write): void {
    this.#due.add(write);
    this.#timer ??= setTimeout(() => void this.flush(), DELAY_MS).unref();
  }

  /** Runs the scheduled writes now, after those in progress, and resolves when they have ended. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const due = [...this.#due];
    this.#due.clear();
    this.#running = this.#running.then(async () => {
      for (const write of due) await write();
    });
    await this.#running;
  }
}
