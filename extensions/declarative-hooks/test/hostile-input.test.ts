import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { matchesGlob } from "../src/definition/filter.js";
import { readOutput } from "../src/definition/output.js";
import { eventJson, inputOf, textOf } from "../src/points/input.js";
import { POINT_NAMES } from "../src/points/point.js";

const json = fc.jsonValue({ maxDepth: 3 });
const action = fc.constantFrom("continue", "modify", "block", "Block", "", 1, null, undefined);
const outcome = fc.record(
  {
    action: fc.oneof(action, json),
    content: fc.oneof(fc.string(), json),
    params: fc.oneof(fc.dictionary(fc.string(), json), json),
    reason: fc.oneof(fc.string({ maxLength: 2000 }), json),
  },
  { requiredKeys: [] },
);

describe("the output of programs and servers", () => {
  it("is an outcome of its point or a problem, for any text", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.json(),
      outcome.map((value) => ` ${JSON.stringify(value)}\n`),
    );
    fc.assert(
      fc.property(text, fc.boolean(), (given, forParams) => {
        const read = readOutput(given, forParams);
        if ("problem" in read) {
          expect(read.problem).not.toBe("");
          return;
        }
        if (read.action === "modify") expect("params" in read).toBe(forParams);
        if (read.action === "block") expect(read.reason).toMatch(/^[\s\S]{1,500}$/);
      }),
      { numRuns: 5000 },
    );
  });

  it("is never taken for content when it is the beginning of an outcome", () => {
    fc.assert(
      fc.property(outcome, fc.nat(), fc.boolean(), (value, cut, forParams) => {
        const document = JSON.stringify(value);
        const half = document.slice(0, 1 + (cut % (document.length - 1)));
        expect(readOutput(half, forParams)).toHaveProperty("problem");
      }),
      { numRuns: 5000 },
    );
  });
});

describe("events", () => {
  it("of any fields are one line of JSON that names point and hook", () => {
    const fields = fc.dictionary(
      fc.oneof(
        fc.constantFrom("channel", "sender", "session", "tool", "content", "params", "point"),
        fc.constantFrom("hook", "__proto__", "toJSON"),
        fc.string(),
      ),
      json,
    );
    fc.assert(
      fc.property(fc.constantFrom(...POINT_NAMES), fields, (point, given) => {
        const input = inputOf(point, JSON.parse(JSON.stringify(given)));
        const written = eventJson(input, "config::h");
        expect(written).not.toContain("\n");
        expect(JSON.parse(written)).toMatchObject({ point, hook: "config::h" });
        expect(typeof textOf(input)).toBe("string");
      }),
      { numRuns: 2000 },
    );
  });
});

describe("globs", () => {
  it("match what an expression of the same meaning matches", () => {
    const part = fc.constantFrom("a", "b", "*", "?", ".", "A", "é");
    const expressionOf = (glob: string) => {
      const source = [...glob].map((char) => {
        if (char === "*") return "[^]*";
        return char === "?" ? "[^]" : char.replaceAll(/\W/g, "\\$&");
      });
      return new RegExp(`^${source.join("")}$`, "i");
    };
    const text = (length: number) =>
      fc.array(part, { maxLength: length }).map((all) => all.join(""));
    fc.assert(
      fc.property(text(6), text(8), (glob, value) => {
        expect(matchesGlob(glob, value)).toBe(expressionOf(glob).test(value));
      }),
      { numRuns: 5000 },
    );
  });

  it("take a bounded number of steps for many stars", () => {
    expect(matchesGlob(`${"*a".repeat(1000)}b`, "a".repeat(10_000))).toBe(false);
  });
});
