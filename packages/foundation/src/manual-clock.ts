import { setImmediate as nextTurn } from "node:timers/promises";
import type { Clock } from "./clock.js";

/** Clock that only moves when a test advances it. */
export interface ManualClock extends Clock {
  /** Advances by `ms` and fires every timer at its time. Promises settle between calls, not within one. */
  advance(ms: number): void;
  /**
   * Advances by `ms` and fires every timer at its time; promises that one timer starts settle before the next
   * timer fires.
   */
  advanceAndSettle(ms: number): Promise<void>;
  /** Advances by `ms` as if the event loop had been blocked: each due timer fires once, at the end. */
  stall(ms: number): void;
  /** Number of running timers. */
  readonly activeTimers: number;
}

interface ManualTimer {
  readonly callback: () => void;
  due: number;
  readonly everyMs: number | undefined;
}

/**
 * Creates a clock that moves only through its methods.
 * @param startTime - initial time in milliseconds
 */
export function createManualClock(startTime = 0): ManualClock {
  let now = startTime;
  const timers = new Set<ManualTimer>();

  const start = (callback: () => void, ms: number, everyMs: number | undefined): ManualTimer => {
    const timer = { callback, due: now + Math.max(0, ms), everyMs };
    timers.add(timer);
    return timer;
  };
  const nextDue = (until: number): ManualTimer | undefined => {
    let next: ManualTimer | undefined;
    for (const timer of timers) {
      if (timer.due <= until && (next === undefined || timer.due < next.due)) next = timer;
    }
    return next;
  };
  const fire = (timer: ManualTimer): void => {
    if (timer.everyMs === undefined) timers.delete(timer);
    else timer.due = now + timer.everyMs;
    timer.callback();
  };
  const stop = (handle: unknown): void => {
    timers.delete(handle as ManualTimer);
  };

  return {
    now: () => now,
    // An interval of 0 ms would fire endlessly at the same time.
    setInterval: (callback, ms) => start(callback, ms, Math.max(1, ms)),
    clearInterval: stop,
    setTimeout: (callback, ms) => start(callback, ms, undefined),
    clearTimeout: stop,
    advance(ms) {
      const end = now + ms;
      for (let timer = nextDue(end); timer !== undefined; timer = nextDue(end)) {
        now = timer.due;
        fire(timer);
      }
      now = end;
    },
    async advanceAndSettle(ms) {
      const end = now + ms;
      await nextTurn();
      for (let timer = nextDue(end); timer !== undefined; timer = nextDue(end)) {
        now = timer.due;
        fire(timer);
        await nextTurn();
      }
      now = end;
    },
    stall(ms) {
      now += ms;
      for (const timer of [...timers]) {
        if (timers.has(timer) && timer.due <= now) fire(timer);
      }
    },
    get activeTimers() {
      return timers.size;
    },
  };
}
