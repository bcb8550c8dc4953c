/**
 * Waits for work until a signal aborts. What the work comes to afterwards is dropped, a failure too,
 * and nothing stays behind on the signal.
 * @param signal - ends the wait; whether it ends the work is the work's affair
 * @param work - not started at all when the signal has aborted already
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
    // In an async function, so that a synchronous throw is a failure like any other.
    (async () => work())()
      .finally(() => signal.removeEventListener("abort", stop))
      .then(resolve, reject);
  });
}
