import { expect, it } from "vitest";
import { withoutReferences } from "../../../src/request/tool-schema/references.js";

it("[LLM-005] inlines references to definitions, also escaped ones and those of older drafts", () => {
  const inlined = withoutReferences({
    type: "object",
    properties: {
      a: { $ref: "#/$defs/size", description: "Its size." },
      b: { type: "array", items: { $ref: "#/definitions/a~1b" } },
      enum: { enum: [{ $ref: "#/$defs/size" }] },
    },
    $defs: { size: { type: "integer", description: "A size." } },
    definitions: { "a/b": { anyOf: [{ $ref: "#/$defs/size" }, { type: "null" }] } },
  });
  const size = { type: "integer", description: "A size." };
  expect(inlined).toEqual({
    type: "object",
    properties: {
      a: { type: "integer", description: "Its size." },
      b: { type: "array", items: { anyOf: [size, { type: "null" }] } },
      enum: { enum: [{ $ref: "#/$defs/size" }] },
    },
  });
});

it("describes a definition that contains itself one level deep, and an unknown one as anything", () => {
  const node = {
    type: "object",
    description: "A node.",
    properties: { next: { $ref: "#/$defs/node" } },
  };
  const properties = {
    list: { $ref: "#/$defs/node" },
    self: { $ref: "#" },
    other: { $ref: "https://example.com/schema" },
    missing: { $ref: "#/$defs/none", description: "Unknown." },
  };
  expect(withoutReferences({ type: "object", properties, $defs: { node } })).toEqual({
    type: "object",
    properties: {
      list: {
        ...node,
        properties: { next: { type: "object", description: "A node." } },
      },
      self: { type: "object" },
      other: {},
      missing: { description: "Unknown." },
    },
  });
});

it("limits the size of definitions that multiply", () => {
  const $defs = Object.fromEntries(
    Array.from({ length: 40 }, (_, level) => [
      `d${level}`,
      {
        properties: { a: { $ref: `#/$defs/d${level + 1}` }, b: { $ref: `#/$defs/d${level + 1}` } },
      },
    ]),
  );
  const inlined = withoutReferences({
    type: "object",
    properties: { x: { $ref: "#/$defs/d0" } },
    $defs,
  });
  expect(JSON.stringify(inlined).length).toBeLessThan(1_000_000);
});
