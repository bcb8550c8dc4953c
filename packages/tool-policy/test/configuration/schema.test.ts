import { describe, expect, it } from "vitest";
import { layersFromConfig, toolPolicyConfigSchema } from "../../src/index.js";
import { parsed } from "../support/compiled-policy.js";

type Json = Readonly<Record<string, unknown>>;

function isJson(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** One value for every path that a schema describes, with the free keys filled in. */
function examples(schema: Json, key = ""): readonly unknown[] {
  if (Array.isArray(schema.enum)) return schema.enum;
  if (schema.type === "array") {
    const items = isJson(schema.items) ? schema.items : {};
    return [[], ...(items.type === "string" ? [["exec"]] : examples(items).map((item) => [item]))];
  }
  if (schema.type === "boolean") return [true, false];
  if (schema.type === "string") return ["coding"];
  const properties = isJson(schema.properties) ? Object.entries(schema.properties) : [];
  const members = properties.flatMap(([name, part]) =>
    isJson(part) ? examples(part, name).map((value) => ({ [name]: value })) : [],
  );
  const free = isJson(schema.additionalProperties)
    ? examples(schema.additionalProperties).map((value) => ({
        [key === "toolsBySender" ? "id:1" : "free"]: value,
      }))
    : [];
  const required = requiredMembers(schema);
  return [{}, ...members, ...free].map((value) => ({ ...required, ...value }));
}

/** The members that an object of a schema needs. */
function requiredMembers({ required, properties }: Json): Json {
  const names = Array.isArray(required) ? required.map(String) : [];
  return Object.fromEntries(
    names.map((name) => {
      const member = isJson(properties) ? properties[name] : undefined;
      return [name, isJson(member) ? examples(member)[0] : undefined];
    }),
  );
}

/** Keys that a closed object of the schema does not know. */
function intruders(schema: Json, key = ""): readonly unknown[] {
  const properties = isJson(schema.properties) ? Object.entries(schema.properties) : [];
  const here =
    schema.additionalProperties === false ? [{ ...requiredMembers(schema), intruder: 1 }] : [];
  const below = properties.flatMap(([name, part]) =>
    isJson(part)
      ? intruders(part, name).map((value) => ({ ...requiredMembers(schema), [name]: value }))
      : [],
  );
  const free = isJson(schema.additionalProperties)
    ? intruders(schema.additionalProperties).map((value) => ({
        [key === "toolsBySender" ? "id:1" : "free"]: value,
      }))
    : [];
  const items = isJson(schema.items) ? intruders(schema.items).map((value) => [value]) : [];
  return [...here, ...below, ...free, ...items];
}

describe("toolPolicyConfigSchema", () => {
  it("is plain data", () => {
    expect(JSON.parse(JSON.stringify(toolPolicyConfigSchema))).toEqual(toolPolicyConfigSchema);
    expect(toolPolicyConfigSchema.$schema).toBe("https://json-schema.org/draft/2020-12/schema");
  });

  it("describes only configuration that is read without an error", () => {
    const configs = examples(toolPolicyConfigSchema);
    expect(configs.length).toBeGreaterThan(80);
    for (const config of configs) {
      expect(layersFromConfig(parsed(config)).errors, JSON.stringify(config)).toEqual([]);
    }
  });

  it("forbids additional properties only where unknown keys are errors", () => {
    const configs = intruders(toolPolicyConfigSchema);
    expect(configs.length).toBeGreaterThan(10);
    for (const config of configs) {
      expect(layersFromConfig(parsed(config)).errors, JSON.stringify(config)).toMatchObject([
        {
          code: expect.stringMatching(/^POLICY_UNKNOWN_KEY$/),
          key: expect.stringMatching(/intruder$/),
        },
      ]);
    }
  });
});
