import { setImmediate as nextTurn } from "node:timers/promises";
import type { PluginRuntimeOptions } from "@openclaw/plugin-runtime";

/** The clock of a hook engine. */
type Clock = NonNullable<NonNullable<PluginRuntimeOptions["hooks"]>["clock"]>;

/** A clock that stands still until the test moves it on. */
export interface TestClock extends Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /**
   * Moves on, firing every timer at its time; what each one starts has settled before the next.
   * @param milliseconds - how far
   */
  advance(milliseconds: number): Promise<void>;
  /** How many timers wait. */
  readonly activeTimers: number;
}

interface Timer {
  readonly callback: () => void;
  due: number;
  /** Set for a timer that fires again and again. */
  readonly everyMs: number | undefined;
}

/** 1 January 2026, 12:00 UTC: a day without surprises in any time zone. */
const NOON = Date.UTC(2026, 0, 1, 12);

/**
 * Makes a clock for tests that wait for deadlines without waiting.
 * @param startTime - what it shows at first, in milliseconds since the epoch; 1 January 2026, 12:00 UTC
 *   when absent
 */
export function createTestClock(startTime: number = NOON): TestClock {
  let now = startTime;
  const timers = new Set<Timer>();

  const start = (callback: () => void, ms: number, everyMs: number | undefined): Timer => {
    const timer = { callback, due: now + Math.max(0, ms), everyMs };
    timers.add(timer);
    return timer;
  };
  const firstDue = (until: number): Timer | undefined => {
    let first: Timer | undefined;
    for (const timer of timers) {
      if (timer.due <= until && (first === undefined || timer.due < first.due)) first = timer;
    }
    return first;
  };
  const stop = (handle: unknown): void => {
    timers.delete(handle as Timer);
  };

  return {
    now: () => now,
    setTimeout: (callback, ms) => start(callback, ms, undefined),
    setInterval: (callback, ms) => start(callback, ms, Math.max(1, ms)),
    clearTimeout: stop,
    clearInterval: stop,
    async advance(milliseconds) {
      const end = now + milliseconds;
      await nextTurn();
      for (let timer = firstDue(end); timer !== undefined; timer = firstDue(end)) {
        now = timer.due;
        if (timer.everyMs === undefined) timers.delete(timer);
        else timer.due = now + timer.everyMs;
        timer.callback();
        await nextTurn();
      }
      now = end;
    },
    get activeTimers() {
      return timers.size;
    },
  };
}
