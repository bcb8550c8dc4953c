import type { PluginManifest } from "@openclaw/plugin-sdk/manifest";

type Schema = Readonly<Record<string, unknown>>;

/**
 * Returns the schemas of the sections of a plugin's channels, by channel; undefined when its manifest has none.
 * @param manifest - manifest with `channelSettings`, or with `channelConfigs` of older hosts
 */
export function channelSettingsOf({
  channelSettings,
  channelConfigs,
}: Pick<PluginManifest, "channelSettings" | "channelConfigs">): Schema | undefined {
  const older = Object.entries(channelConfigs ?? {}).flatMap(([channel, config]) => {
    const schema = olderSectionSchema(config);
    return schema === undefined ? [] : [[channel, schema] as const];
  });
  return older.length === 0
    ? channelSettings
    : { ...Object.fromEntries(older), ...channelSettings };
}

/**
 * Returns the schema of the section of a channel in the form of older hosts, without the keys that it requires: such a
 * plugin decides itself when a section is complete.
 * @param config - `{ schema }`, as the manifest or the channel has it
 */
export function olderSectionSchema(config: unknown): Schema | undefined {
  const schema = isRecord(config) ? config.schema : undefined;
  if (!isRecord(schema)) return undefined;
  const { required: _required, ...section } = schema;
  return section;
}

function isRecord(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
