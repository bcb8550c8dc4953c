import { createManualClock } from "@openclaw/foundation";
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

/** 1 January 2026, 12:00 UTC: a day without surprises in any time zone. */
const NOON = Date.UTC(2026, 0, 1, 12);

/**
 * Makes a clock for tests that wait for deadlines without waiting.
 * @param startTime - what it shows at first, in milliseconds since the epoch; 1 January 2026, 12:00 UTC
 *   when absent
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
