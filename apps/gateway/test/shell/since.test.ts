import { describe, expect, it } from "vitest";
import { readSince } from "../../src/shell/since.js";

describe("readSince", () => {
  it.each([
    ["7d", 1_000_000_000 - 604_800_000],
    ["90s", 1_000_000_000 - 90_000],
    ["2w", 0],
    ["1970-01-02", 86_400_000],
    ["1970-01-01T01:00:00Z", 3_600_000],
  ])("reads %s", (text, at) => {
    expect(readSince(text, 1_000_000_000)).toBe(at);
  });

  it.each(["", "d", "7", "-7d", "7 d", "yesterday", "2024-13-45", "12345678d"])(
    "rejects %j",
    (text) => {
      expect(readSince(text, 0)).toBeUndefined();
    },
  );
});
