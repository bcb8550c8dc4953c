import { Type } from "typebox";
import { describe, expectTypeOf, it } from "vitest";
import { defineTool } from "../src/index.js";
import type { ParametersOf } from "../src/tools.js";

describe("defineTool", () => {
  it("infers params from a TypeBox schema", () => {
    defineTool({
      name: "search",
      description: "Searches.",
      parameters: Type.Object({
        query: Type.String(),
        limit: Type.Optional(Type.Integer()),
        tags: Type.Array(Type.String()),
        mode: Type.Union([Type.Literal("fast"), Type.Literal("thorough")]),
        place: Type.Object({ city: Type.String(), zip: Type.Optional(Type.Number()) }),
        deep: Type.Boolean(),
        none: Type.Null(),
        kind: Type.Enum(["a", "b"]),
        labels: Type.Record(Type.String(), Type.Number()),
      }),
      execute: (_toolCallId, params, signal) => {
        expectTypeOf(params).toEqualTypeOf<{
          query: string;
          limit?: number;
          tags: string[];
          mode: "fast" | "thorough";
          place: { city: string; zip?: number };
          deep: boolean;
          none: null;
          kind: "a" | "b";
          labels: Record<string, number>;
        }>();
        expectTypeOf(signal).toEqualTypeOf<AbortSignal>();
        return params.query;
      },
    });
  });

  it("refuses an execute that takes other params", () => {
    defineTool({
      name: "add",
      description: "Adds.",
      parameters: Type.Object({ a: Type.Number() }),
      // @ts-expect-error a is a number
      execute: (_toolCallId, params: { a: string }) => params.a,
    });
  });

  it("refuses a result that is no tool output", () => {
    defineTool({
      name: "now",
      description: "Tells the time.",
      parameters: Type.Object({}),
      // @ts-expect-error a function is no JSON
      execute: () => () => 1,
    });
  });
});

describe("ParametersOf", () => {
  it("reads the type that @sinclair/typebox keeps on its schemas", () => {
    interface SinclairObject {
      static: { path: string; depth?: number };
      params: unknown[];
      type: "object";
    }
    expectTypeOf<ParametersOf<SinclairObject>>().toEqualTypeOf<{ path: string; depth?: number }>();
  });

  it("reads the output type of a Standard Schema", () => {
    interface Schema {
      readonly "~standard": {
        readonly version: 1;
        readonly vendor: "example";
        readonly validate: (value: unknown) => unknown;
        readonly types?: { readonly input: { at: string }; readonly output: { at: Date } };
      };
    }
    expectTypeOf<ParametersOf<Schema>>().toEqualTypeOf<{ at: Date }>();
  });

  it("gives a record for plain JSON Schema, and for a Standard Schema without types", () => {
    expectTypeOf<
      ParametersOf<{ type: "object"; properties: { a: { type: "string" } } }>
    >().toEqualTypeOf<Record<string, unknown>>();
    interface Untyped {
      readonly "~standard": {
        readonly version: 1;
        readonly vendor: "x";
        readonly validate: () => unknown;
      };
    }
    expectTypeOf<ParametersOf<Untyped>>().toEqualTypeOf<Record<string, unknown>>();
  });
});
