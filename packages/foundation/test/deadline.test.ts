import {
  createManualClock,
  DeadlineExceededError,
  waitAtMost,
  withDeadline,
} from "@openclaw/foundation";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const never = new Promise<never>(() => {});

describe("withDeadline", () => {
  it("returns the result of the work and throws its error", async () => {
    expect(await withDeadline(10, () => 1)).toBe(1);
    expect(await withDeadline(10, async () => 2)).toBe(2);
    const failing = () => {
      throw new Error("at once");
    };
    await expect(withDeadline(10, failing)).rejects.toThrow("at once");
    expect(vi.getTimerCount()).toBe(0);
  });

  it("throws when the work does not settle in time", async () => {
    const waiting = expect(withDeadline(10, () => never)).rejects.toThrow(DeadlineExceededError);
    await vi.advanceTimersByTimeAsync(10);
    await waiting;
  });

  it("measures the time with the given timers", async () => {
    const clock = createManualClock();
    const waiting = expect(withDeadline(10, () => never, clock)).rejects.toThrow("within 10 ms");
    clock.advance(10);
    await waiting;
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("waitAtMost", () => {
  it("ends with the work, with its failure, or at the deadline", async () => {
    expect(await waitAtMost(10, Promise.resolve())).toBe(true);
    await expect(waitAtMost(10, Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(vi.getTimerCount()).toBe(0);
    const waiting = waitAtMost(10, never);
    await vi.advanceTimersByTimeAsync(10);
    expect(await waiting).toBe(false);
  });
});
