import { misfits, type ValueSchema } from "@openclaw/foundation";

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

/**
 * Returns whether a value fits a schema.
 * @param value - any value, for example a parsed document
 * @param schema - as a literal type, from which the type of the value follows
 */
export function fits<const Schema extends ValueSchema>(
  value: unknown,
  schema: Schema,
): value is Shape<Schema> {
  return misfits(value, schema).length === 0;
}
