import { emptyPluginConfigSchema } from "@openclaw/plugin-sdk/plugin-entry";
import { Type } from "typebox";
import { describe, expect, it } from "vitest";
import { manifestSchemaOf } from "../../src/index.js";

const described = { type: "object", properties: { model: { type: "string" } } };

describe("exported configuration schema", () => {
  it("is the JSON form of JSON Schema, of TypeBox and of a Standard Schema", () => {
    expect(manifestSchemaOf(described)).toEqual(described);
    const typed = manifestSchemaOf(Type.Object({ model: Type.Optional(Type.String()) }));
    expect(typed).toEqual(described);
    expect(Reflect.ownKeys(typed ?? {}).toSorted()).toEqual(["properties", "type"]);
    const standard = { "~standard": { jsonSchema: { input: () => described } } };
    expect(manifestSchemaOf(standard)).toEqual(described);
  });

  it.each([
    ["none", undefined],
    ["the empty one of the SDK", emptyPluginConfigSchema()],
    ["one that only parses", { parse: (value: unknown) => value }],
    ["a Standard Schema without a JSON form", { "~standard": { version: 1 } }],
    ["a function", () => described],
  ])("is absent for %s", (_name, exported) => {
    expect(manifestSchemaOf(exported)).toBeUndefined();
  });
});
