import type { JsonSchema } from "@openclaw/plugin-sdk/config-schema";
import { jsonSchemaOf } from "../json-schema.js";

/** A channel's configuration schema as older channel plugins have it. */
export interface ChannelConfigSchema {
  readonly schema: JsonSchema;
  readonly uiHints?: Record<string, unknown>;
}

interface Options {
  readonly uiHints?: Record<string, unknown>;
}

/**
 * Makes a channel's configuration schema of a Zod schema.
 * @param schema - of the channel's section
 * @param options - how a console shows the fields
 * @deprecated Give the manifest a `configSchema`.
 */
export function buildChannelConfigSchema(
  schema: object,
  options: Options = {},
): ChannelConfigSchema {
  return { ...options, schema: jsonSchemaOf(schema) };
}

/**
 * Makes a channel's configuration schema of a JSON Schema.
 * @param schema - of the channel's section
 * @param options - how a console shows the fields
 * @deprecated Give the manifest a `configSchema`.
 */
export function buildJsonChannelConfigSchema(
  schema: JsonSchema,
  options: Options = {},
): ChannelConfigSchema {
  return { ...options, schema };
}

/**
 * The configuration schema of a channel that takes none.
 * @deprecated Give the manifest a `configSchema`.
 */
export function emptyChannelConfigSchema(): ChannelConfigSchema {
  return { schema: { type: "object", properties: {}, additionalProperties: false } };
}
