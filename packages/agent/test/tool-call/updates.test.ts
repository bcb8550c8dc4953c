import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ToolUpdates } from "../../src/tool-call/updates.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Updates that are taken up by a list. */
function updates() {
  const shown: string[] = [];
  return { shown, updates: new ToolUpdates((text) => void shown.push(text)) };
}

describe("throttled updates of a call", () => {
  it("[TURN-039] are shown at most ten times a second, with the latest pending one", () => {
    const { shown, updates: reported } = updates();
    for (let step = 0; step < 999; step++) {
      reported.report(() => String(step));
      vi.advanceTimersByTime(1);
    }
    expect(shown).toHaveLength(10);
    expect(shown.slice(0, 3)).toEqual(["0", "99", "199"]);
    vi.advanceTimersByTime(100);
    expect(shown.at(-1)).toBe("998");
    vi.advanceTimersByTime(1000);
    reported.report(() => "later");
    expect(shown.slice(-2)).toEqual(["998", "later"]);
  });

  it("[TURN-039] are at most 64 KiB, without splitting a character", () => {
    const { shown, updates: reported } = updates();
    reported.report(() => "x".repeat(65_536));
    vi.advanceTimersByTime(100);
    reported.report(() => `x${"€".repeat(30_000)}`);
    expect(shown.map((text) => Buffer.byteLength(text))).toEqual([65_536, 65_536]);
    expect(shown[1]).toBe(`x${"€".repeat(21_845)}`);
  });

  it("[TURN-039] are ignored after the call, including pending ones", () => {
    const { shown, updates: reported } = updates();
    reported.report(() => "first");
    reported.report(() => "second");
    reported.end();
    reported.report(() => expect.unreachable("nobody would see it"));
    vi.advanceTimersByTime(1000);
    expect(shown).toEqual(["first"]);
    expect(vi.getTimerCount()).toBe(0);
  });
});
