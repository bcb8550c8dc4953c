import { describe, expect, it } from "vitest";
import { fits, misfits } from "../../src/schema/misfit.js";

const SCHEMA = {
  type: "object",
  properties: {
    name: { type: "string", minLength: 1, maxLength: 3, examples: ["abc"] },
    level: { type: "string", enum: ["low", "high"] },
    on: { type: "boolean" },
    count: { type: "number" },
    list: { type: "array", items: { type: "string" } },
    either: {
      anyOf: [{ type: "string" }, { type: "object", properties: { a: { type: "number" } } }],
    },
    free: { type: "object", additionalProperties: { type: "boolean" } },
    open: {},
  },
  required: ["name"],
  additionalProperties: false,
} as const;

function found(value: unknown): readonly string[] {
  return misfits(value, SCHEMA).map(({ path, message }) => `${path.join(".")}: ${message}`);
}

describe("the comparison of a value with a schema", () => {
  it("finds nothing in a value that fits", () => {
    const value = {
      name: "abc",
      level: "low",
      on: true,
      count: 0.5,
      list: ["", "b"],
      either: { a: 1, other: null },
      free: { x: false },
      open: [null],
    };
    expect(misfits(value, SCHEMA)).toEqual([]);
    expect(fits(value, SCHEMA)).toBe(true);
  });

  it("reports every difference with its place", () => {
    expect(found({ name: "", level: "mid", on: 1, count: "1", list: ["a", 2, null] })).toEqual([
      'name: expected text that is not empty, got ""',
      'level: expected one of low, high, got "mid"',
      "on: expected true or false, got 1",
      'count: expected a number, got "1"',
      "list.1: expected text, got 2",
      "list.2: expected text, got null",
    ]);
    expect(found({ nam: "a", free: { x: 0 }, either: { a: "1" } })).toEqual([
      "name: missing",
      'nam: there is no key "nam" here',
      "free.x: expected true or false, got 0",
      'either.a: expected a number, got "1"',
    ]);
    expect(found({ name: "long", either: 3 })).toEqual([
      "name: expected at most 3 characters, got 4",
      "either: expected text or an object, got 3",
    ]);
    expect(found([])).toEqual([": expected an object, got []"]);
  });

  it("suggests the nearest key and an example", () => {
    const suggestions = misfits({ name: 1, levl: "low", xyzzy: 1 }, SCHEMA).map(
      ({ suggestion }) => suggestion,
    );
    expect(suggestions).toEqual([
      'for example "abc"',
      'did you mean "level"?',
      "use one of name, level, on, count, list, either, free, open",
    ]);
  });

  it("takes own keys only, and undefined for absent", () => {
    expect(found({ name: "a", level: undefined })).toEqual([]);
    expect(found(Object.create({ name: "a" }))).toEqual(["name: missing"]);
    expect(found(JSON.parse('{"name":"a","__proto__":{}}'))).toEqual([
      '__proto__: there is no key "__proto__" here',
    ]);
  });
});
