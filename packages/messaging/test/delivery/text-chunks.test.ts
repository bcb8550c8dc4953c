import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { textChunks } from "../../src/delivery/text-chunks.js";

describe("textChunks", () => {
  it("returns one chunk without a limit or below it", () => {
    expect(textChunks("hello there", undefined)).toEqual(["hello there"]);
    expect(textChunks("hello there", 11)).toEqual(["hello there"]);
  });

  it("breaks between paragraphs, else between lines, else between words, else anywhere", () => {
    expect(textChunks("one two\n\nthree four", 14)).toEqual(["one two", "three four"]);
    expect(textChunks("one two\nthree four", 14)).toEqual(["one two", "three four"]);
    expect(textChunks("one two three", 8)).toEqual(["one two", "three"]);
    expect(textChunks("abcdefgh", 3)).toEqual(["abc", "def", "gh"]);
    expect(textChunks("ab😀cd", 3)).toEqual(["ab", "😀c", "d"]);
  });

  it("keeps every chunk within the limit and drops only white space", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b", " ", "\n", "😀"), maxLength: 60 });
    fc.assert(
      fc.property(text, fc.integer({ min: 2, max: 20 }), (whole, limit) => {
        const parts = textChunks(whole, limit);
        for (const part of parts) expect(part.length).toBeLessThanOrEqual(limit);
        const letters = (given: string) => given.replaceAll(/\s/g, "");
        expect(letters(parts.join(""))).toBe(letters(whole));
        for (const part of parts) expect(part).not.toMatch(/^[\udc00-\udfff]|[\ud800-\udbff]$/);
      }),
    );
  });
});
