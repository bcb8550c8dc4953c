/** Running timer; its type depends on the clock. */
export type TimerHandle = unknown;

/** Timers of a clock. Timers keep the process alive, as those of Node.js do by default. */
export interface Timers {
  setTimeout(callback: () => void, ms: number): TimerHandle;
  clearTimeout(handle: TimerHandle): void;
}

/** Monotonic time and timers. */
export interface Clock extends Timers {
  /** Returns milliseconds since an arbitrary start, with fractions; never decreases. */
  now(): number;
  setInterval(callback: () => void, ms: number): TimerHandle;
  clearInterval(handle: TimerHandle): void;
}

/** The clock of the process. */
export const systemClock: Clock = {
  now: () => performance.now(),
  setInterval: (callback, ms) => setInterval(callback, ms),
  clearInterval: (handle) => clearInterval(handle as NodeJS.Timeout),
  setTimeout: (callback, ms) => setTimeout(callback, ms),
  clearTimeout: (handle) => clearTimeout(handle as NodeJS.Timeout),
};

/**
 * Lets the process exit before a timer fires. Does nothing to a timer that a test controls.
 * @param timer - handle of the timer
 */
export function releaseTimer(timer: TimerHandle): void {
  if (typeof timer === "object" && timer !== null && "unref" in timer) {
    if (typeof timer.unref === "function") timer.unref();
  }
}
