import type { JsonSchema } from "@openclaw/plugin-sdk/config-schema";
import { jsonSchemaOf } from "../json-schema.js";

export {
  /** @deprecated Give the manifest a `configSchema`. */
  BlockStreamingCoalesceSchema,
  /** @deprecated Give the manifest a `configSchema`. */
  DmPolicySchema,
  /** @deprecated Give the manifest a `configSchema`. */
  GroupPolicySchema,
  /** @deprecated Give the manifest a `configSchema`. */
  MarkdownConfigSchema,
  /** @deprecated Give the manifest a `configSchema`. */
  ReplyRuntimeConfigSchemaShape,
  /** @deprecated Give the manifest a `configSchema`. */
  requireOpenAllowFrom,
  /** @deprecated Give the manifest a `configSchema`. */
  ToolPolicySchema,
} from "../access/policy-schemas.js";

/** Configuration schema of a channel in the format of older channel plugins. */
export interface ChannelConfigSchema {
  readonly schema: JsonSchema;
  readonly uiHints?: Record<string, unknown>;
}

interface Options {
  readonly uiHints?: Record<string, unknown>;
}

/**
 * Creates a channel's configuration schema from a Zod schema.
 * @param schema - Zod schema of the channel's section
 * @param options - UI hints for the fields
 * @deprecated Give the manifest a `configSchema`.
 */
export function buildChannelConfigSchema(
  schema: object,
  options: Options = {},
): ChannelConfigSchema {
  return {
    ...options,
    // The conversion of schemas of two copies of Zod can fail, and must not fail the plugin.
    get schema() {
      return jsonSchemaOf(schema);
    },
  };
}

/**
 * Creates a channel's configuration schema from a JSON Schema.
 * @param schema - JSON Schema of the channel's section
 * @param options - UI hints for the fields
 * @deprecated Give the manifest a `configSchema`.
 */
export function buildJsonChannelConfigSchema(
  schema: JsonSchema,
  options: Options = {},
): ChannelConfigSchema {
  return { ...options, schema };
}

/**
 * Returns the configuration schema of a channel without settings.
 * @deprecated Give the manifest a `configSchema`.
 */
export function emptyChannelConfigSchema(): ChannelConfigSchema {
  return { schema: { type: "object", properties: {}, additionalProperties: false } };
}
