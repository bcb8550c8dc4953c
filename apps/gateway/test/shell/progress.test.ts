import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { withProgress } from "../../src/shell/progress.js";

describe("withProgress", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** Runs work of a duration in milliseconds, and returns the lines of the terminal. */
  async function shownFor(durationMs: number): Promise<(string | undefined)[]> {
    const shown: (string | undefined)[] = [];
    const { promise, resolve } = Promise.withResolvers<string>();
    const terminal = { status: (text: string | undefined) => void shown.push(text) };
    const working = withProgress("Checking", terminal, () => promise);
    vi.advanceTimersByTime(durationMs);
    resolve("done");
    expect(await working).toBe("done");
    vi.advanceTimersByTime(10_000);
    return shown;
  }

  it("[GW-088] shows nothing for work of less than one second", async () => {
    expect(await shownFor(950)).toEqual([undefined]);
  });

  it("[GW-088] shows title and time of longer work, and removes the line at the end", async () => {
    const shown = await shownFor(2100);
    expect(shown[0]).toMatch(/^[-|/\\] Checking \(1 s\)$/);
    expect(shown.at(-2)).toMatch(/^[-|/\\] Checking \(2 s\)$/);
    expect(shown.at(-1)).toBeUndefined();
    expect(shown.filter((text) => text === undefined)).toHaveLength(1);
  });

  it("[GW-088] removes the line when the work fails, and shows none without a terminal", async () => {
    const shown: unknown[] = [];
    const fail = () => Promise.reject(new Error("no"));
    const status = (text: string | undefined) => void shown.push(text);
    await expect(withProgress("Checking", { status }, fail)).rejects.toThrow("no");
    expect(shown).toEqual([undefined]);
    await expect(withProgress("Checking", { status: undefined }, fail)).rejects.toThrow("no");
    expect(vi.getTimerCount()).toBe(0);
  });
});
