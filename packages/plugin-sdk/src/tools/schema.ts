import type { JsonSchema } from "../schema/json.js";
import type { SchemaValue, StandardJsonSchema, StandardSchema } from "../schema/standard-schema.js";

/** Value of `parameters`: a TypeBox schema of either package, a Standard Schema, or a JSON Schema. */
export type ParameterSchema = JsonSchema | StandardSchema | object;

/**
 * Type of the arguments that `execute` receives for a schema. Plain JSON Schema gives `Record<string, unknown>`.
 */
export type ParametersOf<Schema> = SchemaValue<Schema>;

/** A Standard Schema that cannot convert itself to JSON Schema needs a separate JSON Schema for the model. */
export type JsonSchemaBeside<Schema> = Schema extends StandardJsonSchema
  ? { jsonSchema?: JsonSchema }
  : Schema extends StandardSchema
    ? { jsonSchema: JsonSchema }
    : { jsonSchema?: never };
