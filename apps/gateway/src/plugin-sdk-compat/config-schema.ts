import type { JsonSchema } from "@openclaw/plugin-sdk/config-schema";
import { jsonSchemaOf } from "../json-schema.js";

/** A plugin's configuration schema as older plugins export it. */
export interface OlderPluginConfigSchema {
  readonly jsonSchema: JsonSchema;
  /** How a console shows the fields. */
  readonly uiHints?: Record<string, unknown>;
  safeParse?(value: unknown): unknown;
}

interface Options {
  readonly uiHints?: Record<string, unknown>;
}

/**
 * Makes a plugin's configuration schema of a Zod schema.
 * @param schema - anything with `safeParse`
 * @param options - how a console shows the fields
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
 * Makes a plugin's configuration schema of a JSON Schema.
 * @param schema - of an object
 * @param options - how a console shows the fields
 * @deprecated Export the JSON Schema itself as `configSchema`.
 */
export function buildJsonPluginConfigSchema(
  schema: JsonSchema,
  options: Options = {},
): OlderPluginConfigSchema {
  return { ...options, jsonSchema: schema };
}
