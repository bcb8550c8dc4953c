/** Exit status for each signal that stops the process. */
export const EXIT_OF_SIGNAL = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/**
 * Turns the first stop signal into an abort; a second one ends the process at once (GW-009).
 * @returns a signal that aborts at the first SIGINT, SIGTERM or SIGHUP
 */
export function stopSignal(): AbortSignal {
  const stop = new AbortController();
  for (const [name, exitStatus] of Object.entries(EXIT_OF_SIGNAL)) {
    process.on(name, () => {
      if (stop.signal.aborted) process.exit(exitStatus);
      stop.abort(new Error(`stopped by ${name}`));
    });
  }
  return stop.signal;
}

/**
 * Resolves when a signal aborts.
 * @param signal - signal to wait for, for example from `stopSignal`
 */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
