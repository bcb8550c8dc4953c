import { manifestSchemaOf } from "@openclaw/plugin-discovery";
import type { PluginGeneration } from "@openclaw/plugin-runtime";
import type { JsonSchema } from "@openclaw/plugin-sdk/tools";
import { configurationSchema } from "./schema.js";

/** Schema of the configuration with the settings of plugins, and the hints of plugins for consoles. */
export interface MergedSchema {
  readonly schema: Record<string, unknown>;
  readonly uiHints: Record<string, Record<string, unknown>>;
}

/**
 * Merges the schema of the configuration with those of the plugins, at `plugins.entries.<id>.config` (GW-029).
 * @param plugins - plugins, loaded or not
 */
export function mergedSchema({ plugins }: Pick<PluginGeneration, "plugins">): MergedSchema {
  // As it is on the wire: without the symbols of the schema library.
  const schema = JSON.parse(JSON.stringify(configurationSchema)) as PluginsSchema;
  const { entries } = schema.properties.plugins.properties;
  const base = entries.additionalProperties ?? Object.values(entries.patternProperties ?? {})[0];
  const properties: Record<string, unknown> = {};
  const uiHints: Record<string, Record<string, unknown>> = {};
  for (const { id, settingsSchema, exportedSchema, uiHints: hints } of plugins) {
    // A plugin without a manifest has an empty one here, and the schema that its module exports.
    const isDeclared = Object.keys(settingsSchema ?? {}).length > 0;
    const config: JsonSchema | undefined = isDeclared
      ? settingsSchema
      : manifestSchemaOf(exportedSchema);
    if (config !== undefined) {
      properties[id] = { ...base, properties: { ...base?.properties, config } };
    }
    if (hints !== undefined) uiHints[id] = { ...hints };
  }
  entries.properties = properties;
  return { schema: { ...schema }, uiHints };
}

/** The part of the schema that plugins add to. */
interface PluginsSchema {
  readonly properties: {
    readonly plugins: {
      readonly properties: {
        readonly entries: {
          readonly additionalProperties?: EntrySchema;
          readonly patternProperties?: Readonly<Record<string, EntrySchema>>;
          properties?: Record<string, unknown>;
        };
      };
    };
  };
}

interface EntrySchema {
  readonly properties?: Readonly<Record<string, unknown>>;
}
