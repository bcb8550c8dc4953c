import { describe, expect, it } from "vitest";
import { structuredOutputOptions } from "../../src/request/response-format.js";

const text = { type: "string" };
const closed = (properties: object, required: string[]) => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});

describe("structuredOutputOptions", () => {
  it.each([
    ["a closed object", closed({ a: text }, ["a"])],
    ["nested closed objects", closed({ a: closed({ b: text }, ["b"]) }, ["a"])],
    ["an array of closed objects", closed({ a: { type: "array", items: closed({}, []) } }, ["a"])],
    [
      "values of an enumeration that look like a schema",
      closed({ a: { enum: [{ type: "object" }] } }, ["a"]),
    ],
  ])("leaves the strict mode on for %s", (_name, schema) => {
    expect(structuredOutputOptions({ type: "json", schema })).toBeUndefined();
  });

  it.each([
    ["an open object", { type: "object", properties: { a: text }, required: ["a"] }],
    ["an optional property", closed({ a: text, b: text }, ["a"])],
    ["an optional property further in", closed({ a: closed({ b: text }, []) }, ["a"])],
    ["an open alternative", closed({ a: { anyOf: [text, { type: "object" }] } }, ["a"])],
    ["an open definition", { ...closed({}, []), $defs: { b: { type: "object" } } }],
  ])("turns the strict mode off for %s", (_name, schema) => {
    expect(structuredOutputOptions({ type: "json", schema })).toEqual({
      openai: { strictJsonSchema: false },
      openaiCompatible: { strictJsonSchema: false },
    });
  });

  it("has no options for text and for JSON without a schema", () => {
    expect(structuredOutputOptions(undefined)).toBeUndefined();
    expect(structuredOutputOptions({ type: "text" })).toBeUndefined();
    expect(structuredOutputOptions({ type: "json" })).toBeUndefined();
  });
});
