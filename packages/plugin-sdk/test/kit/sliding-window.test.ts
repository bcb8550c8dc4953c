import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SlidingWindow } from "../../src/kit.js";

describe("sliding window", () => {
  it("[DHOOK-037] allows exactly the events that a naive count allows", () => {
    const event = fc.record({
      key: fc.constantFrom("a", "b"),
      wait: fc.integer({ min: 0, max: 40 }),
    });
    fc.assert(
      fc.property(
        fc.array(event, { maxLength: 80 }),
        fc.integer({ min: 1, max: 5 }),
        (events, max) => {
          const window = new SlidingWindow(max, 100);
          const allowed: { key: string; at: number }[] = [];
          let now = 1000;
          for (const { key, wait } of events) {
            now += wait;
            const inWindow = allowed.filter((each) => each.key === key && each.at > now - 100);
            const decision = window.take(key, now);
            expect(decision.isAllowed).toBe(inWindow.length < max);
            if (decision.isAllowed) allowed.push({ key, at: now });
            else
              expect(decision.waitMs).toBe((inWindow[inWindow.length - max]?.at ?? 0) + 100 - now);
          }
          window.prune(now + 100);
          expect(window.size).toBe(0);
        },
      ),
    );
  });

  it("does not lock anyone out when the clock is set back", () => {
    const window = new SlidingWindow(1, 100);
    expect(window.take("a", 1_000_000)).toEqual({ isAllowed: true });
    expect(window.take("a", 500)).toEqual({ isAllowed: false, waitMs: 100 });
  });
});
