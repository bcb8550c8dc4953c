import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { textParts } from "../../src/delivery/text-chunks.js";

describe("a text in parts", () => {
  it("stays whole without a limit or below it", () => {
    expect(textParts("hello there", undefined)).toEqual(["hello there"]);
    expect(textParts("hello there", 11)).toEqual(["hello there"]);
  });

  it("breaks between paragraphs, else lines, else words, else anywhere", () => {
    expect(textParts("one two\n\nthree four", 14)).toEqual(["one two", "three four"]);
    expect(textParts("one two\nthree four", 14)).toEqual(["one two", "three four"]);
    expect(textParts("one two three", 8)).toEqual(["one two", "three"]);
    expect(textParts("abcdefgh", 3)).toEqual(["abc", "def", "gh"]);
    expect(textParts("ab😀cd", 3)).toEqual(["ab", "😀c", "d"]);
  });

  it("keeps every part within the limit, and every character that is no space", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b", " ", "\n", "😀"), maxLength: 60 });
    fc.assert(
      fc.property(text, fc.integer({ min: 2, max: 20 }), (whole, limit) => {
        const parts = textParts(whole, limit);
        for (const part of parts) expect(part.length).toBeLessThanOrEqual(limit);
        const letters = (given: string) => given.replaceAll(/\s/g, "");
        expect(letters(parts.join(""))).toBe(letters(whole));
        for (const part of parts) expect(part).not.toMatch(/^[\udc00-\udfff]|[\ud800-\udbff]$/);
      }),
    );
  });
});
