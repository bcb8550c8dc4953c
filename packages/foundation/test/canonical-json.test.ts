import { canonicalJson } from "@openclaw/foundation";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

/** The same value with the keys of its objects in the opposite order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, part]) => [key, reversed(part)]);
  return Object.fromEntries(entries.reverse());
}

describe("canonicalJson", () => {
  it("sorts the keys of objects at every depth and leaves lists as they are", () => {
    expect(canonicalJson({ b: [{ z: 1, y: 2 }, "x"], a: null })).toBe(
      '{"a":null,"b":[{"y":2,"z":1},"x"]}',
    );
  });

  it("gives equal values one text, whatever the order of their keys", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(canonicalJson(reversed(value))).toBe(canonicalJson(value));
      }),
    );
  });

  it("gives different values different texts: it reads back as the value", () => {
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
});
