import { Type as SinclairType } from "@sinclair/typebox";
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import { Type } from "typebox";
import * as v from "valibot";
import { describe, expectTypeOf, it } from "vitest";
import { z } from "zod";
import { defineTool, type ParametersOf } from "../../src/tools.js";

const about = { name: "search", description: "Searches." };

describe("defineTool", () => {
  it("[SDK-009] infers params from a TypeBox schema", () => {
    defineTool({
      ...about,
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
        pair: Type.Tuple([Type.String(), Type.Number()]),
        own: Type.Unsafe<{ any: Date }>({}),
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
          pair: [string, number];
          own: { any: Date };
        }>();
        expectTypeOf(signal).toEqualTypeOf<AbortSignal>();
        return params.query;
      },
    });
    const both = Type.Intersect([
      Type.Object({ a: Type.String() }),
      Type.Object({ b: Type.Optional(Type.Number()) }),
    ]);
    expectTypeOf<ParametersOf<typeof both>>().toEqualTypeOf<{ a: string } & { b?: number }>();
  });

  it("[SDK-009] infers params from a schema of @sinclair/typebox", () => {
    defineTool({
      ...about,
      parameters: SinclairType.Object({
        path: SinclairType.String(),
        depth: SinclairType.Optional(SinclairType.Number()),
      }),
      execute: (_toolCallId, params) => {
        expectTypeOf(params).toEqualTypeOf<{ path: string; depth?: number }>();
        return null;
      },
    });
  });

  it("[SDK-009] infers params from Zod, ArkType and Valibot, as they are after parsing", () => {
    defineTool({
      ...about,
      parameters: z.object({
        at: z.string().transform((text) => new Date(text)),
        limit: z.number().default(10),
      }),
      execute: (_toolCallId, params) => {
        expectTypeOf(params).toEqualTypeOf<{ at: Date; limit: number }>();
        return null;
      },
    });
    defineTool({
      ...about,
      parameters: type({ query: "string", "limit?": "number" }),
      execute: (_toolCallId, params) => {
        expectTypeOf(params).toEqualTypeOf<{ query: string; limit?: number }>();
        return null;
      },
    });
    defineTool({
      ...about,
      parameters: toStandardJsonSchema(v.object({ query: v.string() })),
      execute: (_toolCallId, params) => {
        expectTypeOf(params).toEqualTypeOf<{ query: string }>();
        return null;
      },
    });
  });

  it("[SDK-009] gives a record for plain JSON Schema", () => {
    defineTool({
      ...about,
      parameters: { type: "object", properties: { query: { type: "string" } } },
      execute: (_toolCallId, params) => {
        expectTypeOf(params).toEqualTypeOf<Record<string, unknown>>();
        return null;
      },
    });
  });

  it("[SDK-009] requires JSON Schema next to a Standard Schema that cannot be converted", () => {
    const parameters = v.object({ query: v.string() });
    // @ts-expect-error Valibot alone cannot tell a model what the arguments are
    defineTool({ ...about, parameters, execute: (_toolCallId, { query }) => query });
    defineTool({
      ...about,
      parameters,
      jsonSchema: { type: "object", properties: { query: { type: "string" } } },
      execute: (_toolCallId, { query }) => {
        expectTypeOf(query).toEqualTypeOf<string>();
        return query;
      },
    });
    const json = { type: "object" };
    // @ts-expect-error JSON Schema needs no other beside it
    defineTool({ ...about, parameters: json, jsonSchema: json, execute: () => null });
  });

  it("rejects an execute with other params", () => {
    defineTool({
      ...about,
      parameters: Type.Object({ a: Type.Number() }),
      // @ts-expect-error a is a number
      execute: (_toolCallId, params: { a: string }) => params.a,
    });
  });

  it("rejects a result that is not a tool output", () => {
    defineTool({
      ...about,
      parameters: Type.Object({}),
      // @ts-expect-error a function is no JSON
      execute: () => () => 1,
    });
  });
});

describe("ParametersOf", () => {
  it("gives a record for a Standard Schema without types", () => {
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
