import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { matchesGlob } from "../../src/index.js";
import vectors from "../vectors/glob.json" with { type: "json" };

function asRegExp(pattern: string): RegExp {
  const source = [...pattern]
    .map((character) => {
      if (character === "*") return ".*";
      return character === "?" ? "." : character.replace(/[\\^$.|+()[\]{}/-]/g, "\\$&");
    })
    .join("");
  return new RegExp(`^${source}$`, "su");
}

describe("matchesGlob", { timeout: 30_000 }, () => {
  it.each(vectors)("[SAFE-053] $id: $input.pattern on $input.value", ({ input, expected }) => {
    expect(matchesGlob(input.pattern, input.value)).toBe(expected.match);
  });

  it("[POL-016] supports * and ? only", () => {
    expect(matchesGlob("*", "")).toBe(true);
    expect(matchesGlob("web_*", "web_")).toBe(true);
    expect(matchesGlob("web_?", "web_")).toBe(false);
    expect(matchesGlob("a.c", "abc")).toBe(false);
    expect(matchesGlob("[ab]", "a")).toBe(false);
    expect(matchesGlob("a+", "aa")).toBe(false);
    expect(matchesGlob("{a,b}", "a")).toBe(false);
    expect(matchesGlob("a\\*", "a*")).toBe(false);
    expect(matchesGlob("ab*ba", "aba")).toBe(false);
    expect(matchesGlob("*a*b*", "xxbaxb")).toBe(true);
    expect(matchesGlob("*ab*ab", "abab")).toBe(true);
    expect(matchesGlob("*abc*", "ab")).toBe(false);
  });

  it("[SAFE-053] ignores case but does not match look-alike letters", () => {
    expect(matchesGlob("ÄRGER*", "ärgerlich")).toBe(true);
    expect(matchesGlob("kate", "\u212Aate")).toBe(false);
    expect(matchesGlob("i*", "\u0130stanbul")).toBe(false);
  });

  it("counts a character outside the basic plane as one", () => {
    expect(matchesGlob("?", "😀")).toBe(true);
    expect(matchesGlob("??", "😀")).toBe(false);
    expect(matchesGlob("x?*", "x😀y")).toBe(true);
  });

  it("[POL-016] agrees with a regular expression on any pattern and value", () => {
    const pattern = fc.string({
      unit: fc.constantFrom("a", "b", ".", "*", "?", "😀"),
      maxLength: 8,
    });
    const value = fc.string({ unit: fc.constantFrom("a", "b", ".", "😀"), maxLength: 10 });
    fc.assert(
      fc.property(
        pattern,
        value,
        (glob, text) => matchesGlob(glob, text) === asRegExp(glob).test(text),
      ),
      { numRuns: 20_000 },
    );
  });

  it("[POL-016] does not backtrack: matches a pattern that explodes elsewhere in linear time", {
    timeout: 5_000,
  }, () => {
    const value = "a".repeat(5_000);
    expect(matchesGlob(`${"*a".repeat(60)}*b`, value)).toBe(false);
    expect(matchesGlob(`${"*a?".repeat(40)}*b*`, value)).toBe(false);
  });
});
