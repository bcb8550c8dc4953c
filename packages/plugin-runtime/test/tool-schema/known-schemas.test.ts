import type { JsonSchema } from "@openclaw/plugin-sdk/tools";
import { type TProperties, Type } from "typebox";
import { describe, expect, it } from "vitest";
import { KnownSchemas } from "../../src/tool-schema/known-schemas.js";

// Tools give their schemas as plain JSON Schema; the types of TypeBox do not say that they are.
const object = (properties: TProperties): JsonSchema => ({ ...Type.Object(properties) });
const path = () => object({ path: Type.String({ minLength: 1 }) });

describe("KnownSchemas", () => {
  it("returns one object for schemas with the same text", () => {
    const known = new KnownSchemas();
    const first = path();
    expect(known.first(first)).toBe(first);
    expect(known.first(path())).toBe(first);
    expect(known.first(object({ path: Type.String() }))).not.toBe(first);
  });

  it("keeps schemas apart that check values with a function", () => {
    const known = new KnownSchemas();
    const even = object({ n: Type.Refine(Type.Number(), (n) => n % 2 === 0) });
    const odd = object({ n: Type.Refine(Type.Number(), (n) => n % 2 === 1) });
    expect(JSON.stringify(even)).toBe(JSON.stringify(odd));
    expect(known.first(even)).toBe(even);
    expect(known.first(odd)).toBe(odd);
  });

  it("forgets the schema that was not asked for longest", () => {
    const known = new KnownSchemas();
    const [first, second] = [path(), object({})];
    known.first(first);
    known.first(second);
    for (let size = 0; size < 998; size += 1) known.first(object({ n: Type.Literal(size) }));
    expect(known.first(path())).toBe(first);
    known.first(object({ n: Type.Literal("another") }));
    expect(known.first(object({}))).not.toBe(second);
    expect(known.first(path())).toBe(first);
  });
});
