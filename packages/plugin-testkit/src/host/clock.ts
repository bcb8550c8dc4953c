import { createManualClock } from "@openclaw/foundation";
import type { PluginRuntimeOptions } from "@openclaw/plugin-runtime";

/** The clock of a hook engine. */
type Clock = NonNullable<NonNullable<PluginRuntimeOptions["hooks"]>["clock"]>;

/** A clock that is stopped until the test advances it. */
export interface TestClock extends Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /**
   * Advances the clock, firing every timer at its time; the work that a timer starts settles before
   * the next fires.
   * @param milliseconds - time to advance
   */
  advance(milliseconds: number): Promise<void>;
  /** Number of pending timers. */
  readonly activeTimers: number;
}

/** 1 January 2026, 12:00 UTC: a day without surprises in any time zone. */
const NOON = Date.UTC(2026, 0, 1, 12);

/**
 * Creates a clock for tests of deadlines that must not take real time.
 * @param startTime - initial time, in milliseconds since the epoch; 1 January 2026, 12:00 UTC when
 *   absent
 */
export function createTestClock(startTime: number = NOON): TestClock {
  const clock = createManualClock(startTime);
  return {
    now: clock.now,
    setTimeout: clock.setTimeout,
    setInterval: clock.setInterval,
    clearTimeout: clock.clearTimeout,
    clearInterval: clock.clearInterval,
    advance: clock.advanceAndSettle,
    get activeTimers() {
      return clock.activeTimers;
    },
  };
}
