import { expect, it } from "vitest";
import { asObjectSchema, plainObjectSchema } from "../../src/json-schema/object-schema.js";

it("[LLM-005] makes one object of a union of objects, which requires what each alternative requires", () => {
  const schema = {
    description: "Draws or erases.",
    required: ["id"],
    oneOf: [
      {
        properties: { kind: { const: "draw" }, color: { type: "string" } },
        required: ["kind", "color"],
      },
      { properties: { kind: { const: "erase" } }, required: ["kind"] },
    ],
    allOf: [{ properties: { id: { type: "string" } }, required: ["id"] }],
    not: { required: ["other"] },
  };
  expect(plainObjectSchema(schema)).toEqual({
    description: "Draws or erases.",
    properties: {
      id: { type: "string" },
      kind: { anyOf: [{ const: "draw" }, { const: "erase" }] },
      color: { type: "string" },
    },
    required: ["id", "kind"],
  });
});

it("keeps the properties next to a union of required ones, and nested unions", () => {
  const nested = { anyOf: [{ type: "string" }, { type: "number" }] };
  const schema = {
    type: "object",
    properties: { a: nested, b: { type: "string" } },
    anyOf: [{ required: ["a"] }, { required: ["b"] }],
  };
  expect(plainObjectSchema(schema)).toEqual({
    type: "object",
    properties: { a: nested, b: { type: "string" } },
  });
});

it("[PLUG-115] completes a union of objects with their properties, and keeps the union", () => {
  const action = (value: string) => ({ const: value, type: "string" });
  const anyOf = [
    { properties: { action: action("start"), to: { type: "string" } }, required: ["action", "to"] },
    { type: "object", properties: { action: action("stop") }, required: ["action"] },
  ];
  const schema = { anyOf };
  expect(asObjectSchema(schema)).toEqual({
    type: "object",
    anyOf,
    properties: { action: { type: "string", enum: ["start", "stop"] }, to: { type: "string" } },
    required: ["action"],
  });
  expect(asObjectSchema(schema)).toBe(asObjectSchema(schema));
});

it.each([
  ["has a type", { type: "object", anyOf: [{ properties: {} }] }],
  ["allows another type", { anyOf: [{ properties: {} }, { type: "string" }] }],
  ["is an empty union", { oneOf: [] }],
])("leaves a schema that %s as it is", (_case, schema) => {
  expect(asObjectSchema(schema)).toBe(schema);
});

it.each([
  [{}, { type: "object", properties: {} }],
  [{ description: "None." }, { description: "None.", type: "object", properties: {} }],
])("[PLUG-115] makes an object without properties of %j", (schema, expected) => {
  expect(asObjectSchema(schema)).toEqual(expected);
});
