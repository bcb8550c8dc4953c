import { describe, expect, it } from "vitest";
import { LinearPattern, LinearPatternError } from "../../src/index.js";

describe("LinearPattern", () => {
  it.each([
    ["plain", { test: ["a plain text", "explain"], not: ["Plain"] }],
    ["colou?r", { test: ["color", "colour"], not: ["colr"] }],
    ["^$", { test: [""], not: ["a"] }],
    ["", { test: ["", "a"], not: [] }],
  ])("%s matches as in JavaScript", (source, { test, not }) => {
    const pattern = new LinearPattern(source);
    expect(test.filter((text) => !pattern.test(text))).toEqual([]);
    expect(not.filter((text) => pattern.test(text))).toEqual([]);
  });

  it("ignores the case of letters on request", () => {
    expect(new LinearPattern("secret", { ignoreCase: true }).test("SeCRet")).toBe(true);
  });

  it.each([
    [
      "b",
      "abcb",
      [
        [1, 2],
        [3, 4],
      ],
    ],
    [
      "[0-9]+",
      "a12b3",
      [
        [1, 3],
        [4, 5],
      ],
    ],
    ["x", "abc", []],
  ])("returns the ranges of %s", (source, text, ranges) => {
    expect([...new LinearPattern(source).ranges(text)]).toEqual(ranges);
  });

  it.each([
    ["secret", "[redacted]", "a secret, secret", "a [redacted], [redacted]"],
    ["secret", "$$1 $&", "a secret", "a $1 secret"],
    ["(\\w+)@(\\w+)", "$2 at $1", "ada@host", "host at ada"],
    ["(?<name>\\d+)", "<$<name>>", "7 and 8", "<7> and <8>"],
  ])("replaces %s by %s", (source, replacement, text, expected) => {
    expect(new LinearPattern(source).replace(text, replacement)).toBe(expected);
  });

  it("returns the same string when nothing is replaced", () => {
    const text = "nothing here";
    expect(new LinearPattern("[0-9]+").replace(text, "#")).toBe(text);
  });

  it.each([
    ["(a", /missing closing \)/],
    ["a(?=b)", /./],
    ["(.)\\1", /invalid escape sequence/],
    ["ab[z-a]", /invalid character class range/],
  ])("rejects %s with its position", (source, problem) => {
    let error: unknown;
    try {
      new LinearPattern(source);
    } catch (thrown) {
      error = thrown;
    }
    if (!LinearPatternError.isInstance(error)) throw new Error(`${source} was accepted`);
    expect(error.code).toBe("PATTERN_INVALID");
    expect(error.problem).toMatch(problem);
    expect(error.position).toBeGreaterThanOrEqual(0);
    expect(error.message).toContain(`at character ${(error.position ?? 0) + 1}`);
  });

  it("rejects a pattern of more than 1 KiB", () => {
    expect(() => new LinearPattern("ä".repeat(513))).toThrow("it has 1026 bytes");
  });

  it("takes linear time for a pattern that takes exponential time with RegExp", () => {
    expect(new LinearPattern("(a+)+$").test(`${"a".repeat(50_000)}!`)).toBe(false);
  });
});
