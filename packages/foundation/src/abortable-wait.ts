/**
 * Waits for work until a signal aborts. A later result or failure of the work is dropped, and no listener
 * stays on the signal.
 * @param signal - ends the wait without stopping the work
 * @param work - function that is not called when the signal has already aborted
 * @throws the signal's reason, or the error of the work
 */
export function waitUnlessAborted<Value>(
  signal: AbortSignal,
  work: () => Value | Promise<Value>,
): Promise<Value> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    // In an async function, so that a synchronous throw becomes a rejection like any other.
    (async () => work())()
      .finally(() => signal.removeEventListener("abort", stop))
      .then(resolve, reject);
  });
}
