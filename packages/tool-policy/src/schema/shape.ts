/** The part of JSON Schema (2020-12) that the schemas of this package use. */
export interface ValueSchema {
  readonly $schema?: string;
  readonly description?: string;
  readonly default?: unknown;
  /** Values that fit; the first one is suggested where a value does not. */
  readonly examples?: readonly unknown[];
  readonly type?: "array" | "boolean" | "number" | "object" | "string";
  readonly anyOf?: readonly ValueSchema[];
  readonly enum?: readonly string[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly items?: ValueSchema;
  readonly properties?: Readonly<Record<string, ValueSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | ValueSchema;
}

/** The type of the values that fit a schema. */
export type Shape<Schema> = Schema extends { readonly anyOf: readonly (infer Option)[] }
  ? Shape<Option>
  : Schema extends { readonly enum: readonly (infer Value)[] }
    ? Value
    : Schema extends { readonly type: "string" }
      ? string
      : Schema extends { readonly type: "boolean" }
        ? boolean
        : Schema extends { readonly type: "number" }
          ? number
          : Schema extends { readonly type: "array"; readonly items: infer Item }
            ? readonly Shape<Item>[]
            : Schema extends { readonly type: "object"; readonly properties: infer Members }
              ? MembersShape<Members, RequiredNames<Schema>>
              : Schema extends {
                    readonly type: "object";
                    readonly additionalProperties: infer Item;
                  }
                ? Readonly<Record<string, Shape<Item>>>
                : unknown;

type RequiredNames<Schema> = Schema extends { readonly required: readonly (infer Name)[] }
  ? Name
  : never;

type MembersShape<Members, Required> = {
  readonly [Name in keyof Members as Name extends Required ? Name : never]: Shape<Members[Name]>;
} & {
  readonly [Name in keyof Members as Name extends Required ? never : Name]?: Shape<Members[Name]>;
};
