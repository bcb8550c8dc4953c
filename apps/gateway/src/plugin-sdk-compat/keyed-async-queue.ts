const idle = Promise.resolve();

/**
 * Runs a task when the one before it in its queue has ended, however it ended.
 * @param options - the queues, the name of one, and the task
 * @deprecated Use `KeyedAsyncQueue`, or a library.
 */
export function enqueueKeyedTask<Result>(options: {
  readonly tails: Map<string, Promise<unknown>>;
  readonly key: string;
  readonly task: () => Promise<Result>;
}): Promise<Result> {
  const { tails, key, task } = options;
  const result = (tails.get(key) ?? idle).then(task, task);
  const tail = result
    .catch(() => undefined)
    .finally(() => {
      if (tails.get(key) === tail) tails.delete(key);
    });
  tails.set(key, tail);
  return result;
}

/**
 * Queues of tasks by name: those of one name run one after another, others side by side.
 * @deprecated Use a library.
 */
export class KeyedAsyncQueue {
  readonly #tails = new Map<string, Promise<unknown>>();

  /**
   * Runs a task when its queue has come to it.
   * @param key - names the queue
   * @param task - what is run
   */
  enqueue<Result>(key: string, task: () => Promise<Result>): Promise<Result> {
    return enqueueKeyedTask({ tails: this.#tails, key, task });
  }
}
