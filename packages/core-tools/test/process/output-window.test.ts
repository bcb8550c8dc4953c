import { anyText } from "@openclaw/foundation/testing";
import fc from "fast-check";
import { expect, it } from "vitest";
import { OutputWindow } from "../../src/process/output-window.js";

it("keeps all of a small output", () => {
  const window = new OutputWindow(2048);
  window.append("one\n");
  window.append("twö\n");
  expect(window.text()).toBe("one\ntwö\n");
});

it("keeps head and tail of a large output and reports the omitted size", () => {
  const window = new OutputWindow(1024);
  for (let index = 0; index < 5000; index += 1) window.append(`${index}\n`);
  const text = window.text();
  expect(text).toMatch(/^0\n1\n2\n/);
  expect(text).toMatch(/4998\n4999\n$/);
  const [head = "", rest = ""] = text.split("\n[… ");
  const [notice = "", tail = ""] = rest.split(" …]\n");
  const left = Number(/^\d+/.exec(notice)?.[0]);
  const whole = Array.from({ length: 5000 }, (_, index) => `${index}\n`).join("");
  expect(head.length + left + tail.length).toBe(whole.length);
});

it("never exceeds its size, never splits a character, and keeps all that fits", () => {
  const output = fc.array(anyText({ maxLength: 400 }), { maxLength: 12 });
  fc.assert(
    fc.property(output, (chunks) => {
      const window = new OutputWindow(1024);
      for (const chunk of chunks) window.append(chunk);
      const whole = chunks.join("");
      const text = window.text();
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1024);
      const [head = "", tail] = text.split(/\n\[… \d+ bytes of output left out here …\]\n/);
      if (tail === undefined) {
        expect(text).toBe(whole);
      } else {
        expect(whole.startsWith(head)).toBe(true);
        expect(whole.endsWith(tail)).toBe(true);
        expect(Buffer.byteLength(head) + Buffer.byteLength(tail)).toBeGreaterThan(880);
      }
    }),
    { numRuns: 30 },
  );
});

it("returns the newest part for progress", () => {
  const window = new OutputWindow(1024);
  window.append("a".repeat(2000));
  window.append("ä!");
  expect(window.latest(3)).toBe("ä!");
  expect(window.latest(2)).toBe("!");
});
