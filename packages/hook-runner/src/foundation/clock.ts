/** A running timer; what it is depends on the clock. */
export type TimerHandle = unknown;

/** Where the runner gets its time from. Timers keep the process alive, as Node's do by default. */
export interface Clock {
  /** Milliseconds from an arbitrary start, with fractions; never goes back. */
  now(): number;
  setInterval(callback: () => void, ms: number): TimerHandle;
  clearInterval(handle: TimerHandle): void;
  setTimeout(callback: () => void, ms: number): TimerHandle;
  clearTimeout(handle: TimerHandle): void;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  setInterval: (callback, ms) => setInterval(callback, ms),
  clearInterval: (handle) => clearInterval(handle as NodeJS.Timeout),
  setTimeout: (callback, ms) => setTimeout(callback, ms),
  clearTimeout: (handle) => clearTimeout(handle as NodeJS.Timeout),
};
