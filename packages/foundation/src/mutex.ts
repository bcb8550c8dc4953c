/** Runs one task at a time, in the order in which they were submitted. */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve();

  /**
   * Runs a task when every earlier one has settled.
   * @param task - function whose failure rejects only its own promise
   */
  run<Value>(task: () => Promise<Value>): Promise<Value> {
    const done = this.#last.then(task);
    this.#last = done.catch(() => undefined);
    return done;
  }

  /**
   * Waits until every earlier holder has released the mutex.
   * @returns function that releases the mutex; a second call does nothing
   */
  async acquire(): Promise<() => void> {
    const before = this.#last;
    let release: () => void = () => {};
    this.#last = new Promise<void>((resolve) => {
      release = resolve;
    });
    await before;
    return release;
  }

  /** Resolves when every task submitted so far has settled. */
  async idle(): Promise<void> {
    await this.#last;
  }
}

/** Runs the tasks of each key one after another, and those of different keys concurrently. */
export class KeyedMutex {
  readonly #last = new Map<string, Promise<unknown>>();

  /**
   * Runs a task when every earlier one of its key has settled.
   * @param key - resource that only one task may use at a time
   * @param task - function whose failure rejects only its own promise
   */
  async run<Value>(key: string, task: () => Promise<Value>): Promise<Value> {
    const before = this.#last.get(key) ?? Promise.resolve();
    const mine = before.then(task, task);
    this.#last.set(key, mine);
    try {
      return await mine;
    } finally {
      if (this.#last.get(key) === mine) this.#last.delete(key);
    }
  }
}
