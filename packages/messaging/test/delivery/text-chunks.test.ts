import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fenceAfter } from "../../src/delivery/code-fence.js";
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

  it("[CHAN-016] closes a code fence at the end of a chunk and opens it again, with its language", () => {
    const text = "Look:\n\n```ts\nconst a = 1;\n  const b = 2;\nconst c = 3;\n```\n\nThat is all.";
    expect(textChunks(text, 40)).toEqual([
      "Look:",
      "```ts\nconst a = 1;\n  const b = 2;\n```",
      "```ts\nconst c = 3;\n```\n\nThat is all.",
    ]);
  });

  it("[CHAN-016] leaves no fence open in any chunk of a document with fences", () => {
    const line = fc.constantFrom(
      "some words here",
      "",
      "```js",
      "```",
      "~~~~",
      "    indented code",
      "x".repeat(30),
    );
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 30 }),
        fc.integer({ min: 40, max: 90 }),
        (lines, limit) => {
          const text = lines.join("\n");
          const chunks = textChunks(text, limit);
          for (const chunk of chunks.slice(0, -1)) {
            expect(chunk.length).toBeLessThanOrEqual(limit);
            expect(fenceAfter(chunk, undefined)).toBeUndefined();
          }
          // The last chunk is open only if the text itself is.
          const isOpen = fenceAfter(text, undefined) !== undefined;
          expect(fenceAfter(chunks.at(-1) ?? "", undefined) !== undefined).toBe(isOpen);
          const words = (given: string) => given.replaceAll(/[`~]{3,}(?:js)?|\s/g, "");
          expect(words(chunks.join("\n"))).toBe(words(text));
        },
      ),
      { numRuns: 500 },
    );
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

  it("[CHAN-240] keeps the text of a long opening line of a fence in the code", () => {
    const info = `ts ${"word ".repeat(60).trim()}`;
    const chunks = textChunks(`Before\n\n\`\`\`${info}\nlet a;\n\`\`\`\nAfter`, 100);
    for (const chunk of chunks) {
      expect(chunk.length).toBeLessThanOrEqual(100);
      expect(chunk.replace(/^(?:```(?:ts)?)$/gm, "").trim()).not.toBe("");
    }
    expect(chunks.join("\n").match(/word/g)).toHaveLength(60);
    expect(chunks.join("\n")).toContain("let a;");
  });
});
