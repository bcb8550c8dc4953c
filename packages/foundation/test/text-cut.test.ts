import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { characterStart, endOfText, startOfText } from "../src/index.js";

const FACE = "\u{1f600}";

describe("a cut of a text", () => {
  it.each([
    ["abc", 2, "ab", "bc"],
    [`a${FACE}b`, 2, "a", "b"],
    [`a${FACE}b`, 3, `a${FACE}`, `${FACE}b`],
    [FACE, 1, "", ""],
    [FACE, 2, FACE, FACE],
    ["abc", 0, "", ""],
    ["abc", -1, "", ""],
    ["abc", 9, "abc", "abc"],
    ["a\ud83d", 9, "a", "a\ud83d"],
    ["\ude00a", 9, "\ude00a", "a"],
  ])("[TURN-890] does not divide a character: %j to %i", (text, most, start, end) => {
    expect(startOfText(text, most)).toBe(start);
    expect(endOfText(text, most)).toBe(end);
  });

  it("[TURN-890] leaves a well-formed text well-formed, whatever its length", () => {
    const unit = fc.oneof(fc.constant(FACE), fc.string({ unit: "grapheme", maxLength: 3 }));
    const texts = fc.array(unit, { maxLength: 20 }).map((units) => units.join(""));
    fc.assert(
      fc.property(texts, fc.integer({ min: -2, max: 50 }), (text, most) => {
        for (const part of [startOfText(text, most), endOfText(text, most)]) {
          expect(part.isWellFormed()).toBe(true);
          expect(part.length).toBeLessThanOrEqual(Math.max(0, most));
        }
        const at = characterStart(text, most);
        expect(text.slice(0, at) + text.slice(at)).toBe(text);
        expect(text.slice(at).isWellFormed()).toBe(true);
      }),
    );
  });
});
