import type { ToolOutput } from "@openclaw/plugin-sdk/tools";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { boundContent, normaliseToolOutput, previewOf } from "../../src/tool-call/result.js";

const LIMIT = 100_000;
const notice = (bytes: number) =>
  `[Output truncated: ${bytes} bytes exceeded maximum of ${LIMIT} bytes]`;
const image = { type: "image" as const, data: "aGk=", mimeType: "image/png" };

/** Plugins need not be typed: anything can come back from a tool. */
const normalise = (output: unknown) => normaliseToolOutput("probe", output as ToolOutput);

describe("normaliseToolOutput", () => {
  it("returns a complete result unchanged", () => {
    const result = {
      content: [{ type: "text", text: "hi" }, image],
      details: { size: 2 },
      terminate: true,
      isError: true,
    };
    expect(normalise(result)).toEqual(result);
    expect(normalise({ content: [], terminate: "yes", isError: 0 })).toEqual({ content: [] });
  });

  it.each<[string, unknown, string]>([
    ["text", "plain", "plain"],
    ["a number", 7, "7"],
    ["null", null, "null"],
    ["nothing", undefined, "null"],
    ["an object", { a: 1 }, '{\n  "a": 1\n}'],
    ["an object whose content is no list of parts", { content: "x" }, '{\n  "content": "x"\n}'],
  ])("wraps %s as text", (_what, output, text) => {
    expect(normalise(output)).toEqual({ content: [{ type: "text", text }] });
  });

  it.each<[string, unknown]>([
    ["a part of another type", { content: [{ type: "video", url: "x" }] }],
    ["a part that is null", { content: [null] }],
    ["a text part without text", { content: [{ type: "text" }] }],
    ["an image without its type", { content: [{ type: "image", data: "x" }] }],
    ["an image whose type is no text", { content: [{ type: "image", data: "x", mimeType: 1 }] }],
  ])("treats an object with %s as JSON", (_what, output) => {
    expect(normalise(output)).toEqual({
      content: [{ type: "text", text: JSON.stringify(output, null, 2) }],
    });
  });

  it("[TURN-037] returns an error result for values that JSON cannot hold", () => {
    const cycle: unknown[] = [];
    cycle.push(cycle);
    for (const output of [cycle, 1n, () => 1]) {
      expect(normalise(output)).toEqual({
        isError: true,
        content: [
          { type: "text", text: "probe failed: it returned something that is not a result" },
        ],
      });
    }
  });

  it("[TURN-043] drops details that JSON cannot hold, and copies the others", () => {
    const details: Record<string, unknown> = { count: 1, when: new Date(0), run: () => 1 };
    const result = normalise({ content: [], details });
    expect(result.details).toEqual({ count: 1, when: "1970-01-01T00:00:00.000Z" });
    details.self = details;
    expect(normalise({ content: [], details })).toEqual({ content: [] });
  });
});

describe("boundContent", () => {
  const part = (text: string) => ({ type: "text" as const, text });

  it("returns a short result unchanged", () => {
    const content = [part("a".repeat(LIMIT)), image];
    expect(boundContent(content, LIMIT)).toBe(content);
    const noticed = [part("a".repeat(LIMIT + 10))];
    expect(boundContent(noticed, LIMIT, 10)).toBe(noticed);
  });

  it("counts the text parts of a result together, and ignores images", () => {
    const [a, b, c] = ["a", "b", "c"].map((letter) => part(letter.repeat(60_000)));
    if (a === undefined || b === undefined || c === undefined) return;
    expect(boundContent([a, image, b, c, image], LIMIT)).toEqual([
      a,
      image,
      { type: "text", text: `${"b".repeat(40_000)}\n${notice(180_000)}` },
      image,
    ]);
  });

  it("leaves only the notice when earlier parts reached the limit", () => {
    const content = [part("a".repeat(LIMIT)), part("b")];
    expect(boundContent(content, LIMIT)[1]).toEqual(part(notice(LIMIT + 1)));
  });

  it("never splits a character", () => {
    const character = fc.constantFrom("a", "é", "€", "😀", "\uFEFF");
    fc.assert(
      fc.property(fc.string({ unit: character, maxLength: 8 }), (head) => {
        const text = `${head}${"😀".repeat(LIMIT / 4)}€`;
        const [cut] = boundContent([part(text)], LIMIT);
        const [kept = "", said] = cut?.type === "text" ? cut.text.split("\n[") : [];
        expect(text.startsWith(kept)).toBe(true);
        expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(LIMIT);
        expect(Buffer.byteLength(kept)).toBeGreaterThan(LIMIT - 4);
        expect(said).toContain("Output truncated");
      }),
      { numRuns: 20 },
    );
  });
});

describe("previewOf", () => {
  it("returns one line, with images by their type", () => {
    const content = [{ type: "text" as const, text: " two\n\tlines " }, image];
    expect(previewOf({ content })).toBe("two lines [image/png]");
  });

  it("truncates after 200 characters", () => {
    const preview = previewOf({ content: [{ type: "text", text: "x".repeat(201) }] });
    expect(preview).toBe(`${"x".repeat(200)}...`);
  });
});
