/**
 * Waits for work until a signal aborts. A later result or failure of the work is dropped, and no listener stays
 * on the signal.
 * @param signal - ends the wait; it does not stop the work
 * @param work - not started when the signal has already aborted
 * @throws the signal's reason, or what the work throws
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
