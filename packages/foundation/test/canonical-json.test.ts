import { canonicalJson } from "@openclaw/foundation";
import canonicalize from "canonicalize";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyText } from "../src/testing/index.js";

/** Returns the same value with the keys of its objects in the opposite order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, part]) => [key, reversed(part)]);
  return Object.fromEntries(entries.reverse());
}

/** Strings of any UTF-16 code units, most of them with lone surrogates. */
const illFormed = fc
  .array(fc.oneof(fc.integer({ min: 0xd800, max: 0xdfff }), fc.integer({ min: 0, max: 0xffff })))
  .map((units) => String.fromCharCode(...units));
const strings = fc.oneof(anyText(), illFormed);
const values = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    strings,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("value")),
    fc.dictionary(strings, tie("value")),
  ),
})).value;

describe("canonicalJson", () => {
  it("sorts the keys of objects at every depth and keeps the order of lists", () => {
    expect(canonicalJson({ b: [{ z: 1, y: 2 }, "x"], a: null })).toBe(
      '{"a":null,"b":[{"y":2,"z":1},"x"]}',
    );
  });

  it("returns the same text for equal values, whatever the order of their keys", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(canonicalJson(reversed(value))).toBe(canonicalJson(value));
      }),
    );
  });

  it("returns text that parses back to the value, so different values differ", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it("keeps keys that objects inherit elsewhere", () => {
    const value: unknown = JSON.parse('{"constructor":1,"__proto__":{"b":1,"a":2}}');
    expect(canonicalJson(value)).toBe('{"__proto__":{"a":2,"b":1},"constructor":1}');
  });

  it("escapes lone surrogates in strings and keys, and keeps pairs", () => {
    expect(canonicalJson({ "\ude00": ["\ud800", "\ud83d\ude00"] })).toBe(
      '{"\\ude00":["\\ud800","\u{1f600}"]}',
    );
    expect(canonicalJson("\\ud800")).toBe('"\\\\ud800"');
  });

  it("returns text for values with lone surrogates that parses back to the value", () => {
    fc.assert(
      fc.property(values, (value) => {
        const text = canonicalJson(value);
        expect(text).not.toMatch(/\p{Surrogate}/u);
        expect(canonicalJson(reversed(value))).toBe(text);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it("agrees with an implementation of RFC 8785 for values that it accepts", () => {
    const wellFormed = anyText();
    const accepted = fc.oneof(
      fc.jsonValue(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.dictionary(wellFormed, fc.option(wellFormed, { nil: undefined })),
      fc.array(fc.option(fc.date({ noInvalidDate: true }), { nil: undefined })),
    );
    fc.assert(
      fc.property(accepted, (value) => {
        expect(canonicalJson(value)).toBe(canonicalize(value));
      }),
    );
  });

  it("rejects numbers that JSON cannot express, and cycles, and accepts an object that occurs twice", () => {
    expect(() => canonicalJson([Number.NaN])).toThrow("NaN cannot be expressed in JSON");
    expect(() => canonicalJson({ a: Number.POSITIVE_INFINITY })).toThrow("Infinity");
    const cycle: Record<string, unknown> = {};
    cycle.self = [cycle];
    expect(() => canonicalJson(cycle)).toThrow("contains itself");
    const part = { a: 1 };
    expect(canonicalJson([part, part, undefined])).toBe('[{"a":1},{"a":1},null]');
    expect(canonicalJson(undefined)).toBe("null");
  });
});
