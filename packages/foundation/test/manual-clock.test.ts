import { createManualClock } from "@openclaw/foundation";
import { describe, expect, it } from "vitest";

describe("createManualClock", () => {
  it("fires timers at their time, in order, and intervals repeatedly", () => {
    const clock = createManualClock();
    const log: string[] = [];
    clock.setTimeout(() => log.push(`late ${clock.now()}`), 50);
    const interval = clock.setInterval(() => log.push(`tick ${clock.now()}`), 20);
    clock.setTimeout(() => log.push(`early ${clock.now()}`), 10);
    clock.clearTimeout(clock.setTimeout(() => log.push("never"), 5));
    clock.advance(45);
    expect(log).toEqual(["early 10", "tick 20", "tick 40"]);
    expect([clock.now(), clock.activeTimers]).toEqual([45, 2]);
    clock.clearInterval(interval);
    clock.advance(100);
    expect(log.at(-1)).toBe("late 50");
    expect([clock.now(), clock.activeTimers]).toEqual([145, 0]);
  });

  it("fires due timers once at the end of a stall, and no timers that another one stopped", () => {
    const clock = createManualClock();
    const log: string[] = [];
    clock.setInterval(() => log.push(`tick ${clock.now()}`), 20);
    const stopped = { handle: undefined as unknown };
    clock.setTimeout(() => clock.clearTimeout(stopped.handle), 10);
    stopped.handle = clock.setTimeout(() => log.push("stopped"), 15);
    clock.setTimeout(() => log.push("not due"), 200);
    clock.stall(100);
    expect(log).toEqual(["tick 100"]);
    clock.advance(20);
    expect(log).toEqual(["tick 100", "tick 120"]);
  });

  it("settles what a timer starts before the next one fires", async () => {
    const clock = createManualClock(1000);
    const log: string[] = [];
    const note = async (name: string) => {
      log.push(`${name} starts at ${clock.now()}`);
      await Promise.resolve();
      log.push(`${name} ends`);
    };
    clock.setTimeout(() => void note("first"), 10);
    clock.setTimeout(() => void note("second"), 10);
    await clock.advanceAndSettle(10);
    expect(log).toEqual([
      "first starts at 1010",
      "first ends",
      "second starts at 1010",
      "second ends",
    ]);
  });
});
