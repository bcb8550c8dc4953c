import type { JsonSchema } from "./json.js";
import type { SchemaValue, StandardSchema } from "./standard-schema.js";

/** A schema in the style of older libraries: an object that parses, and throws when it cannot. */
export interface ParsingSchema<Output = unknown> {
  parse(value: unknown): Output;
}

/**
 * What a plugin may give as `configSchema`: TypeBox of either package, a Standard Schema, an object
 * with `parse`, JSON Schema, or a function that makes one of these.
 */
export type ConfigSchema = JsonSchema | StandardSchema | ParsingSchema | object;

/**
 * The type of `api.pluginConfig` that follows from a `configSchema`: what the schema makes of the
 * operator's values. JSON Schema gives `Record<string, unknown>`.
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
 * The schema of a plugin that takes no configuration.
 * @returns the same frozen JSON Schema every time
 */
export function emptyPluginConfigSchema(): JsonSchema {
  return EMPTY;
}
