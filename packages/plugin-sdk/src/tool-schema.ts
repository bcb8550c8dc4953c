import type { JsonSchema } from "./json.js";

/** A schema in the shape of the Standard Schema specification, version 1. */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => unknown;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

/** What a tool may give as `parameters`: TypeBox of either package, a Standard Schema, or JSON Schema. */
export type ParameterSchema = JsonSchema | StandardSchema | object;

/**
 * The type that a schema's values have. TypeBox schemas (both `typebox` and `@sinclair/typebox`) and
 * Standard Schemas are read by their structure, so the SDK needs neither package; any other JSON
 * Schema gives `Record<string, unknown>`.
 */
export type ParametersOf<Schema> = Schema extends {
  readonly "~standard": { readonly types?: infer Types };
}
  ? NonNullable<Types> extends { readonly output: infer Output }
    ? Output
    : Record<string, unknown>
  : Schema extends { static: infer Static; params: unknown[] }
    ? Static
    : Schema extends { "~kind": "Object" }
      ? TypeBoxValue<Schema>
      : Record<string, unknown>;

type TypeBoxValue<Schema> = Schema extends { "~kind": "Object"; properties: infer Properties }
  ? ObjectValue<Properties>
  : Schema extends { "~kind": "String" }
    ? string
    : Schema extends { "~kind": "Number" | "Integer" }
      ? number
      : Schema extends { "~kind": "Boolean" }
        ? boolean
        : Schema extends { "~kind": "Null" }
          ? null
          : Schema extends { "~kind": "Literal"; const: infer Value }
            ? Value
            : Schema extends { "~kind": "Array"; items: infer Item }
              ? TypeBoxValue<Item>[]
              : Schema extends { "~kind": "Union"; anyOf: infer Members extends readonly unknown[] }
                ? { [Index in keyof Members]: TypeBoxValue<Members[Index]> }[number]
                : Schema extends { "~kind": "Enum"; enum: infer Values extends readonly unknown[] }
                  ? Values[number]
                  : Schema extends { "~kind": "Record"; patternProperties: infer Patterns }
                    ? Record<string, TypeBoxValue<Patterns[keyof Patterns]>>
                    : unknown;

type OptionalKey<Properties> = {
  [Key in keyof Properties]: Properties[Key] extends { "~optional": true } ? Key : never;
}[keyof Properties];

type ObjectValue<Properties> = {
  [Key in Exclude<keyof Properties, OptionalKey<Properties>>]: TypeBoxValue<Properties[Key]>;
} & {
  [Key in OptionalKey<Properties>]?: TypeBoxValue<Properties[Key]>;
} extends infer Value
  ? { [Key in keyof Value]: Value[Key] }
  : never;
