import { describe, expect, it } from "vitest";
import { misfits } from "../src/index.js";

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
    id: { type: "string", pattern: "^[a-z]+$", patternErrorMessage: "lower-case letters" },
  },
  required: ["name"],
  additionalProperties: false,
} as const;

function found(value: unknown): readonly string[] {
  return misfits(value, SCHEMA).map(({ path, message }) => `${path.join(".")}: ${message}`);
}

describe("misfits", () => {
  it("returns nothing for a valid value", () => {
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
  });

  it("reports every difference with its location", () => {
    expect(found({ name: "", level: "mid", on: 1, count: "1", list: ["a", 2, null] })).toEqual([
      'name: expected a string that is not empty, got string ""',
      'level: expected "low" or "high", got string "mid"',
      "on: expected true or false, got number 1",
      'count: expected a number, got string "1"',
      "list.1: expected a string, got number 2",
      "list.2: expected a string, got null",
    ]);
    expect(found({ nam: "a", free: { x: 0 }, either: { a: "1" } })).toEqual([
      "name: expected a string, got nothing",
      'nam: unknown key "nam"',
      "free.x: expected true or false, got number 0",
      'either.a: expected a number, got string "1"',
    ]);
    expect(found({ name: "long", either: 3 })).toEqual([
      "name: expected at most 3 characters, got 4",
      "either: expected a string or an object, got number 3",
    ]);
    expect(found({ name: "a", id: "A", list: {}, free: [] })).toEqual([
      'id: expected lower-case letters, got string "A"',
      "list: expected a list of strings, got an object",
      "free: expected an object of true or false, got a list",
    ]);
    expect(found([])).toEqual([": expected an object, got a list"]);
  });

  it("suggests the nearest key and an example", () => {
    const suggestions = misfits({ name: 1, levl: "low", xyzzy: 1 }, SCHEMA).map(
      ({ suggestion }) => suggestion,
    );
    expect(suggestions).toEqual([
      'for example "abc"',
      'did you mean "level"?',
      "use one of name, level, on, count, list, either, free, open, id",
    ]);
  });

  it("reads only own keys, and treats undefined as absent", () => {
    expect(found({ name: "a", level: undefined })).toEqual([]);
    expect(found(Object.create({ name: "a" }))).toEqual(["name: expected a string, got nothing"]);
    expect(found(JSON.parse('{"name":"a","__proto__":{}}'))).toEqual([
      '__proto__: unknown key "__proto__"',
    ]);
  });
});
