import type { Timers } from "@openclaw/foundation";

/** Timers of the environment, a browser or Node.js. */
export const systemTimers: Timers = {
  setTimeout: (callback, ms) => setTimeout(callback, ms),
  clearTimeout: (handle) => clearTimeout(handle as ReturnType<typeof setTimeout>),
};
