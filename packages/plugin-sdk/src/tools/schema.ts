import type { JsonSchema } from "../schema/json.js";
import type { SchemaValue, StandardJsonSchema, StandardSchema } from "../schema/standard-schema.js";

/** What a tool may give as `parameters`: TypeBox of either package, a Standard Schema, or JSON Schema. */
export type ParameterSchema = JsonSchema | StandardSchema | object;

/**
 * What `execute` gets for a schema: the parsed arguments. Plain JSON Schema gives
 * `Record<string, unknown>`.
 */
export type ParametersOf<Schema> = SchemaValue<Schema>;

/** A Standard Schema that cannot say itself as JSON Schema needs one beside it, for the model. */
export type JsonSchemaBeside<Schema> = Schema extends StandardJsonSchema
  ? { jsonSchema?: JsonSchema }
  : Schema extends StandardSchema
    ? { jsonSchema: JsonSchema }
    : { jsonSchema?: never };
