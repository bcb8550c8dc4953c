/** Where deadlines get their timers from; tests give ones that they move on themselves. */
export interface Timers {
  /**
   * Calls back once, after a time in milliseconds.
   * @returns what `clearTimeout` takes
   */
  setTimeout(callback: () => void, ms: number): unknown;
  clearTimeout(handle: unknown): void;
}

/** The timers of the process. */
export const systemTimers: Timers = {
  setTimeout: (callback, ms) => setTimeout(callback, ms),
  clearTimeout: (handle) => clearTimeout(handle as NodeJS.Timeout),
};
