/** A schema in the shape of the Standard Schema specification, version 1: Zod, Valibot, ArkType … */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => unknown;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

/** Standard Schema that can convert itself to JSON Schema: Zod from 4.2, ArkType from 2.1.28 … */
export interface StandardJsonSchema<Input = unknown, Output = Input>
  extends StandardSchema<Input, Output> {
  readonly "~standard": StandardSchema<Input, Output>["~standard"] & {
    readonly jsonSchema: {
      readonly input: (options: { readonly target: "draft-2020-12" }) => Record<string, unknown>;
    };
  };
}

/**
 * Output type of a schema. TypeBox schemas (both `typebox` and `@sinclair/typebox`) and Standard Schemas are matched by
 * structure, so that the SDK depends on none of these packages; any other schema gives `Record<string, unknown>`.
 */
export type SchemaValue<Schema> = Schema extends { readonly "~standard": infer Standard }
  ? StandardOutput<Standard>
  : Schema extends { static: infer Static; params: unknown[] }
    ? Static
    : Schema extends { "~kind": string } | { "~unsafe": unknown }
      ? TypeBoxValue<Schema>
      : Record<string, unknown>;

type StandardOutput<Standard> = Standard extends { readonly types?: infer Types }
  ? NonNullable<Types> extends { readonly output: infer Output }
    ? Output
    : Record<string, unknown>
  : Record<string, unknown>;

/** Type of a TypeBox schema, found by its kind marker; the output of a codec is not inferred. */
type TypeBoxValue<Schema> = Schema extends { "~unsafe": infer Value }
  ? Value
  : Schema extends { "~kind": infer Kind extends keyof TypeBoxKinds<Schema> }
    ? TypeBoxKinds<Schema>[Kind]
    : unknown;

interface TypeBoxKinds<Schema> {
  String: string;
  TemplateLiteral: string;
  Number: number;
  Integer: number;
  Boolean: boolean;
  Null: null;
  Never: never;
  Literal: Schema extends { const: infer Value } ? Value : never;
  Enum: Schema extends { enum: readonly (infer Value)[] } ? Value : never;
  Array: Schema extends { items: infer Item } ? TypeBoxValue<Item>[] : never;
  Tuple: Schema extends { items: infer Items } ? TypeBoxValues<Items> : never;
  Union: Schema extends { anyOf: infer Members }
    ? TypeBoxValues<Members>[keyof Members & number]
    : never;
  Intersect: Schema extends { allOf: infer Members } ? TypeBoxAll<Members> : never;
  Record: Schema extends { patternProperties: infer Patterns }
    ? Record<string, TypeBoxValue<Patterns[keyof Patterns]>>
    : never;
  Object: Schema extends { properties: infer Properties } ? TypeBoxObject<Properties> : never;
}

type TypeBoxValues<Schemas> = { -readonly [Index in keyof Schemas]: TypeBoxValue<Schemas[Index]> };

type TypeBoxAll<Schemas> = Schemas extends readonly [infer First, ...infer Rest]
  ? TypeBoxValue<First> & TypeBoxAll<Rest>
  : unknown;

type OptionalKey<Properties> = {
  [Key in keyof Properties]: Properties[Key] extends { "~optional": true } ? Key : never;
}[keyof Properties];

type TypeBoxObject<Properties> = {
  [Key in Exclude<keyof Properties, OptionalKey<Properties>>]: TypeBoxValue<Properties[Key]>;
} & {
  [Key in OptionalKey<Properties>]?: TypeBoxValue<Properties[Key]>;
} extends infer Value
  ? { [Key in keyof Value]: Value[Key] }
  : never;
