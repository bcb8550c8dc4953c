import { describe, expect, it } from "vitest";
import { schemaFault } from "../../src/json-schema/fault.js";

const TYPES = '"string", "number", "integer", "boolean", "object", "array" or "null"';
const withProperty = (property: unknown) => ({ type: "object", properties: { a: property } });

describe("schemaFault", () => {
  it.each<[string, unknown]>([
    ["an empty schema", {}],
    ["a list of types", { type: ["string", "null"] }],
    ["boolean schemas", { properties: { a: true }, additionalProperties: false }],
    ["a tuple of an older draft", { items: [{ type: "string" }], additionalItems: false }],
    ["a bound of an older draft", { minimum: 1, exclusiveMinimum: true }],
    ["a definition and its reference", { $defs: { "a/b": {} }, $ref: "#/$defs/a~1b" }],
    ["a reference to the root", { properties: { next: { $ref: "#" } } }],
    ["data that looks like a schema", { enum: [{ type: "objekt" }], default: { type: 1 } }],
    ["keywords of providers", { nullable: true, example: {}, "x-order": 3 }],
    ["an absent keyword", { type: undefined, pattern: undefined }],
  ])("accepts %s", (_what, schema) => {
    expect(schemaFault(schema)).toBeUndefined();
  });

  it.each<[string, unknown, string, string]>([
    [
      "a misspelled type",
      { type: "objekt" },
      "/type",
      `expected ${TYPES}, got string "objekt"; did you mean "object"?`,
    ],
    [
      "a misspelled type of a property",
      withProperty({ type: "strng" }),
      "/properties/a/type",
      `expected ${TYPES}, got string "strng"; did you mean "string"?`,
    ],
    [
      "a wrong type in a list",
      { type: ["string", "nul"] },
      "/type",
      `expected ${TYPES}, got string "nul"; did you mean "null"?`,
    ],
    ["a list", [], "", "expected a schema in an object, got a list"],
    [
      "a property that is a type",
      withProperty("string"),
      "/properties/a",
      'expected a schema in an object, got string "string"',
    ],
    [
      "properties in a list",
      { properties: [] },
      "/properties",
      "expected an object with a schema for each name, got a list",
    ],
    ["required of one property", withProperty({ required: true }), "/properties/a/required", ""],
    ["an empty enumeration", withProperty({ enum: [] }), "/properties/a/enum", ""],
    ["an empty union", withProperty({ anyOf: [] }), "/properties/a/anyOf", ""],
    ["a union that is an object", { oneOf: {} }, "/oneOf", ""],
    ["a pattern", withProperty({ pattern: "(" }), "/properties/a/pattern", ""],
    ["a pattern of names", { patternProperties: { "(": {} } }, "/patternProperties/(", ""],
    ["a limit in quotes", withProperty({ minLength: "3" }), "/properties/a/minLength", ""],
    ["a negative number", { maxItems: -1 }, "/maxItems", ""],
    ["a bound in quotes", { minimum: "1" }, "/minimum", ""],
    ["an item", withProperty({ items: [{ type: "int" }] }), "/properties/a/items/0/type", ""],
    ["a part of allOf", { allOf: [{}, { not: 1 }] }, "/allOf/1/not", ""],
    [
      "a reference to nothing",
      withProperty({ $ref: "#/$defs/nope" }),
      "/properties/a/$ref",
      "#/$defs/nope is not in the schema",
    ],
  ])("finds %s and its place", (_what, schema, place, problem) => {
    expect(schemaFault(schema)).toEqual({
      place,
      problem: problem === "" ? expect.stringMatching(/./) : problem,
    });
  });

  it("[SDK-501] names the place at which a schema contains itself", () => {
    const node: Record<string, unknown> = { type: "object" };
    node.properties = { next: node };
    expect(schemaFault(node)).toEqual({
      place: "/properties/next",
      problem: "a schema that contains itself; use $ref for a repetition",
    });
    const twice = { type: "string" };
    expect(schemaFault({ properties: { a: twice, b: twice } })).toBeUndefined();
  });
});
