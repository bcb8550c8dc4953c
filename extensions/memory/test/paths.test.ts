import { describe, expect, it } from "vitest";
import { daysIn, isDay, localTime } from "../src/documents/day.js";
import { normalisePath } from "../src/documents/path.js";

describe("paths of documents", () => {
  it.each([
    [" /projects//heron/plan.md/ ", "projects/heron/plan.md"],
    ["./a.md", "a.md"],
    ["MEMORY.md", "MEMORY.md"],
    ["memory.md", "memory.md"],
  ])("[MEM-002] normalises %j to %j", (given, expected) => {
    expect(normalisePath(given)).toBe(expected);
  });

  it.each(["", " / ", "a/../b.md", "..", "a\0b", "a\\b", "x".repeat(513)])(
    "[MEM-002] rejects %j",
    (given) => {
      expect(() => normalisePath(given)).toThrow(/^path: /);
    },
  );
});

describe("dates", () => {
  it("[MEM-004] are those of the user's zone", () => {
    const now = Date.UTC(2026, 6, 1, 23, 30, 5);
    expect(localTime(now, "Europe/Lisbon")).toEqual({ day: "2026-07-02", time: "00:30:05" });
    expect(localTime(now, "America/New_York")).toEqual({ day: "2026-07-01", time: "19:30:05" });
  });

  it("are found in queries", () => {
    expect(daysIn("What was on 4 March 2026, March 5th, 2026 and 2026-03-06?").sort()).toEqual([
      "2026-03-04",
      "2026-03-05",
      "2026-03-06",
    ]);
    expect(daysIn("on 31 February 2026")).toEqual([]);
    expect(isDay("2026-02-29")).toBe(false);
  });
});
