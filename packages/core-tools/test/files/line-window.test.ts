import { open } from "node:fs/promises";
import { temporaryWorkspace } from "@openclaw/foundation/testing";
import fc from "fast-check";
import { expect, it } from "vitest";
import { readLineWindow } from "../../src/files/line-window.js";

it("returns the same lines as splitting the whole text", async () => {
  const tree = await temporaryWorkspace();
  const line = fc.string({ unit: fc.constantFrom("a", "é", "\r"), maxLength: 8 });
  const text = fc.array(line, { maxLength: 12 }).map((lines) => lines.join("\n"));
  const range = fc.record({
    first: fc.integer({ min: 1, max: 14 }),
    maxLines: fc.integer({ min: 1, max: 6 }),
    maxBytes: fc.integer({ min: 20, max: 60 }),
  });
  await fc.assert(
    fc.asyncProperty(text, range, async (content, { first, maxLines, maxBytes }) => {
      const handle = await open(await tree.file("text", content));
      const window = await readLineWindow(handle, { first, maxLines, maxBytes });
      await handle.close();

      const all = content.match(/[^\n]*\n|[^\n]+$/g) ?? [];
      const wanted: string[] = [];
      for (const candidate of all.slice(first - 1, first - 1 + maxLines)) {
        if (Buffer.byteLength(wanted.join("") + candidate) > maxBytes) break;
        wanted.push(candidate);
      }
      expect(window.bytes.toString()).toBe(wanted.join(""));
      expect(window).toMatchObject({
        lines: wanted.length,
        linesBefore: Math.min(first - 1, all.length),
        reachedEnd: first - 1 + wanted.length >= all.length,
        cutLine: false,
      });
    }),
    { numRuns: 300 },
  );
});

it("finds a line behind many chunks", async () => {
  const tree = await temporaryWorkspace();
  const lines = Array.from({ length: 40_000 }, (_, index) => `line ${index + 1}\n`);
  const handle = await open(await tree.file("long", lines.join("")));
  const window = await readLineWindow(handle, { first: 39_999, maxLines: 5, maxBytes: 1000 });
  await handle.close();
  expect(window.bytes.toString()).toBe("line 39999\nline 40000\n");
  expect(window).toMatchObject({ lines: 2, linesBefore: 39_998, reachedEnd: true });
});
