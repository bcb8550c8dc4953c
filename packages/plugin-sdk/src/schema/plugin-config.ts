import type { JsonSchema } from "./json.js";
import type { SchemaValue, StandardSchema } from "./standard-schema.js";

/** Schema in the style of older libraries: an object whose `parse` returns the value or throws. */
export interface ParsingSchema<Output = unknown> {
  parse(value: unknown): Output;
}

/**
 * Value of `configSchema`: a TypeBox schema of either package, a Standard Schema, an object with `parse`, a JSON Schema,
 * or a function that returns one of these.
 */
export type ConfigSchema = JsonSchema | StandardSchema | ParsingSchema | object;

/**
 * Type of `api.pluginConfig` inferred from a `configSchema`: the output type of the schema. JSON Schema gives
 * `Record<string, unknown>`.
 */
export type ConfigOf<Schema> = Schema extends { readonly "~standard": unknown }
  ? SchemaValue<Schema>
  : Schema extends ParsingSchema<infer Output>
    ? Output
    : Schema extends () => infer Made
      ? SchemaValue<Made>
      : SchemaValue<Schema>;

const EMPTY: JsonSchema = Object.freeze({
  type: "object",
  properties: Object.freeze({}),
  additionalProperties: false,
});

/**
 * Returns the schema of a plugin without configuration.
 * @returns a frozen JSON Schema, the same object on each call
 */
export function emptyPluginConfigSchema(): JsonSchema {
  return EMPTY;
}
