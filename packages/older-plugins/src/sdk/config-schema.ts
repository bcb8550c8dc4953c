import type { JsonSchema } from "@openclaw/plugin-sdk/config-schema";
import { jsonSchemaOf } from "../json-schema.js";

/** Configuration schema of a plugin in the format of older plugins. */
export interface OlderPluginConfigSchema {
  readonly jsonSchema: JsonSchema;
  /** UI hints for the fields. */
  readonly uiHints?: Record<string, unknown>;
  safeParse?(value: unknown): unknown;
}

interface Options {
  readonly uiHints?: Record<string, unknown>;
}

/**
 * Creates a plugin's configuration schema from a Zod schema.
 * @param schema - schema with a `safeParse` method
 * @param options - UI hints for the fields
 * @deprecated Export the Zod schema itself as `configSchema`.
 */
export function buildPluginConfigSchema(
  schema: { safeParse(value: unknown): unknown },
  options: Options = {},
): OlderPluginConfigSchema {
  return {
    ...options,
    jsonSchema: jsonSchemaOf(schema),
    safeParse: (value) => schema.safeParse(value ?? {}),
  };
}

/**
 * Creates a plugin's configuration schema from a JSON Schema.
 * @param schema - JSON Schema of an object
 * @param options - UI hints for the fields
 * @deprecated Export the JSON Schema itself as `configSchema`.
 */
export function buildJsonPluginConfigSchema(
  schema: JsonSchema,
  options: Options = {},
): OlderPluginConfigSchema {
  return { ...options, jsonSchema: schema };
}
