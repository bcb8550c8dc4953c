import { describe, expect, it } from "vitest";
import { createTestClock } from "../../src/index.js";

describe("test clock", () => {
  it("is stopped until it is advanced, and fires due timers in order", async () => {
    const clock = createTestClock(1000);
    const fired: string[] = [];
    clock.setTimeout(() => fired.push(`late at ${clock.now()}`), 30);
    clock.setTimeout(() => fired.push(`early at ${clock.now()}`), 10);
    const cancelled = clock.setTimeout(() => fired.push("cancelled"), 20);
    clock.clearTimeout(cancelled);
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect([clock.now(), fired]).toEqual([1000, []]);
    await clock.advance(29);
    expect([clock.now(), fired]).toEqual([1029, ["early at 1010"]]);
    await clock.advance(1);
    expect(fired).toEqual(["early at 1010", "late at 1030"]);
    expect(clock.activeTimers).toBe(0);
  });

  it("repeats intervals until they are cleared", async () => {
    const clock = createTestClock(0);
    const times: number[] = [];
    const handle = clock.setInterval(() => times.push(clock.now()), 20);
    await clock.advance(50);
    clock.clearInterval(handle);
    await clock.advance(50);
    expect(times).toEqual([20, 40]);
  });

  it("settles the work that a timer starts before the next one fires", async () => {
    const clock = createTestClock(0);
    const order: string[] = [];
    clock.setTimeout(() => {
      void Promise.resolve()
        .then(() => undefined)
        .then(() => order.push("settled"));
    }, 10);
    clock.setTimeout(() => order.push("second"), 11);
    await clock.advance(20);
    expect(order).toEqual(["settled", "second"]);
  });

  it("starts at a whole date by default", () => {
    expect(new Date(createTestClock().now()).toISOString()).toBe("2026-01-01T12:00:00.000Z");
  });
});
