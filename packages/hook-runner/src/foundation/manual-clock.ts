import type { Clock } from "./clock.js";

/** A clock that stands still until it is told to move; for tests that must not wait. */
export interface ManualClock extends Clock {
  /** Moves on by `ms`, firing every timer at its time. Promises settle between calls, not within. */
  advance(ms: number): void;
  /** Moves on by `ms` as if the event loop had been blocked: each timer due fires once, at the end. */
  stall(ms: number): void;
  /** How many timers are running. */
  readonly activeTimers: number;
}

interface ManualTimer {
  readonly callback: () => void;
  due: number;
  readonly everyMs: number | undefined;
}

export function createManualClock(): ManualClock {
  let now = 0;
  const timers = new Set<ManualTimer>();

  const start = (callback: () => void, ms: number, everyMs: number | undefined): ManualTimer => {
    const timer = { callback, due: now + ms, everyMs };
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
    setInterval: (callback, ms) => start(callback, ms, ms),
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
