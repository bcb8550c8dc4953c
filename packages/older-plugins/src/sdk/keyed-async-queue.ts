const idle = Promise.resolve();

/**
 * Runs a task after the previous one of its queue has settled.
 * @param options - queues, key of the queue, and task
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
 * Task queues by key: tasks of the same key run in sequence, others in parallel.
 * @deprecated Use a library.
 */
export class KeyedAsyncQueue {
  readonly #tails = new Map<string, Promise<unknown>>();

  /**
   * Runs a task after the previous tasks of its queue.
   * @param key - key of the queue
   * @param task - function to run
   */
  enqueue<Result>(key: string, task: () => Promise<Result>): Promise<Result> {
    return enqueueKeyedTask({ tails: this.#tails, key, task });
  }
}
