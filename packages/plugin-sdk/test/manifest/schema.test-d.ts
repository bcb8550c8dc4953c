import { describe, expectTypeOf, it } from "vitest";
import type { manifestSchema } from "../../src/manifest/schema.js";
import type { PluginManifest } from "../../src/manifest.js";

/** The type of the values a literal JSON Schema admits, for the keywords the manifest's uses. */
type ValueOf<Schema> = Schema extends { enum: readonly (infer Word)[] }
  ? Word
  : Schema extends { anyOf: readonly (infer Choice)[] }
    ? Choice extends unknown
      ? ValueOf<Choice>
      : never
    : Schema extends { type: "string" }
      ? string
      : Schema extends { type: "boolean" }
        ? boolean
        : Schema extends { type: "array" }
          ? (Schema extends { items: infer Item } ? ValueOf<Item> : unknown)[]
          : Schema extends { type: "object"; properties: infer Properties }
            ? ObjectOf<Properties, RequiredOf<Schema>> & OthersOf<Schema>
            : Record<string, unknown>;

type RequiredOf<Schema> = Schema extends { required: readonly (infer Name)[] } ? Name : never;

type OthersOf<Schema> = Schema extends { additionalProperties: infer Other }
  ? { [name: string]: ValueOf<Other> | undefined }
  : unknown;

type ObjectOf<Properties, Required> = {
  -readonly [Name in Extract<keyof Properties, Required>]: ValueOf<Properties[Name]>;
} & {
  -readonly [Name in Exclude<keyof Properties, Required>]?: ValueOf<Properties[Name]>;
};

/** Intersections and interfaces written out, so that equality means the same fields. */
type Plain<Type> = Type extends (infer Item)[]
  ? Plain<Item>[]
  : Type extends object
    ? { -readonly [Key in keyof Type]: Plain<Type[Key]> }
    : Type;

describe("the schema of the manifest", () => {
  it("describes each field as the type does", () => {
    type Described = Plain<ValueOf<typeof manifestSchema>>;
    expectTypeOf<Described>().toEqualTypeOf<Plain<PluginManifest>>();
    expectTypeOf<keyof Described>().toEqualTypeOf<keyof PluginManifest>();
  });
});
