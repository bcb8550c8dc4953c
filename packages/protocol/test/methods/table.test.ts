import type { TSchema } from "typebox";
import { Compile } from "typebox/compile";
import { describe, expect, it } from "vitest";
import { gatewayEvents } from "../../src/events/table.js";
import { gatewayMethods } from "../../src/methods/table.js";

const methods = Object.entries(gatewayMethods);

/** Returns the object schemas within a schema, at any depth. */
function objectsIn(schema: unknown): readonly TSchema[] {
  if (typeof schema !== "object" || schema === null) return [];
  const inner = Object.values(schema).flatMap(objectsIn);
  return "properties" in schema ? [schema, ...inner] : inner;
}

describe("gatewayMethods", () => {
  it.each(methods)("contains %s under its name, with a scope and a summary", (name, method) => {
    expect(method.name).toBe(name);
    expect(name).toMatch(/^[a-z]+\.[a-z][A-Za-z]*$/);
    expect(method.scope).toMatch(/^operator\.(read|write|approvals|admin)$/);
    expect(method.summary).toMatch(/^[A-Z].*\.$/);
    expect(method.errors).toEqual([...new Set(method.errors)]);
  });

  it.each(methods)("allows no unknown parameter of %s", (_name, { params }) => {
    const objects = objectsIn(params);
    expect(objects.length).toBeGreaterThan(0);
    expect(objects.filter((each) => !("additionalProperties" in each))).toEqual([]);
  });

  it.each(methods)("has plain JSON schemas for %s", (_name, { params, result }) => {
    for (const schema of [params, result]) {
      expect(() => Compile(JSON.parse(JSON.stringify(schema)))).not.toThrow();
    }
  });
});

describe("gatewayEvents", () => {
  it("contains each event under its name, with a schema that compiles", () => {
    for (const [name, event] of Object.entries(gatewayEvents)) {
      expect(event.name).toBe(name);
      expect(Compile(event.payload).Check({})).toBe(false);
    }
  });
});
