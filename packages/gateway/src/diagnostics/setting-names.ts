import type { LoadedConfiguration } from "@openclaw/configuration";
import { isSchema } from "@openclaw/foundation";
import type { JsonSchema } from "@openclaw/plugin-sdk/tools";
import type { LocatedString } from "./named-references.js";

/** Plugin with the schema of its settings. */
export interface PluginWithSettings {
  readonly id: string;
  readonly settingsSchema?: JsonSchema | undefined;
}

/** Kinds of things that a setting of a plugin can name with `x-names`. */
export const SETTING_KINDS = [
  "agent",
  "channel",
  "model",
  "path",
  "plugin",
  "skill",
  "tool",
] as const;

/** Name of something outside of the settings of a plugin. */
export interface SettingName extends LocatedString {
  readonly kind: (typeof SETTING_KINDS)[number];
}

/**
 * Returns the names in the settings of plugins: strings and keys whose schema has `x-names` with the kind of the named thing
 * (GW-507).
 * @param configuration - configuration that matches its schema
 * @param plugins - installed plugins
 */
export function settingNames(
  { value }: Pick<LoadedConfiguration, "value">,
  plugins: readonly PluginWithSettings[],
): readonly SettingName[] {
  return plugins.flatMap(({ id, settingsSchema }) => {
    const config = value.plugins?.entries?.[id]?.config;
    if (config === undefined || settingsSchema === undefined) return [];
    const path = ["plugins", "entries", id, "config"];
    return namesIn(config, settingsSchema, { root: settingsSchema, path });
  });
}

interface Place {
  readonly root: JsonSchema;
  readonly path: readonly (string | number)[];
}

function namesIn(value: unknown, written: unknown, place: Place): readonly SettingName[] {
  const schema = resolved(written, place.root);
  if (schema === undefined) return [];
  const { root, path } = place;
  const options: readonly unknown[] = Array.isArray(schema.anyOf) ? schema.anyOf : [];
  const alternatives = options.flatMap((each) => namesIn(value, each, place));
  if (typeof value === "string") return [...nameOf(value, schema, path), ...alternatives];
  if (typeof value !== "object" || value === null) return alternatives;
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    const found = items.flatMap((item, index) =>
      namesIn(item, schema.items, { root, path: [...path, index] }),
    );
    return [...found, ...alternatives];
  }
  const { properties, additionalProperties, propertyNames } = schema;
  const described: Readonly<Record<string, unknown>> = isSchema(properties) ? properties : {};
  const found = Object.entries(value).flatMap(([key, member]) => {
    const below = [...path, key];
    const isDescribed = Object.hasOwn(described, key);
    return [
      ...(isSchema(propertyNames) ? nameOf(key, propertyNames, below) : []),
      ...namesIn(member, isDescribed ? described[key] : additionalProperties, {
        ...{ root, path: below },
      }),
    ];
  });
  return [...found, ...alternatives];
}

function nameOf(name: string, schema: JsonSchema, path: Place["path"]): readonly SettingName[] {
  const kind = SETTING_KINDS.find((each) => each === schema["x-names"]);
  return kind === undefined ? [] : [{ kind, name, path }];
}

/** A reference is to a definition of the same schema. */
function resolved(schema: unknown, root: JsonSchema): JsonSchema | undefined {
  if (!isSchema(schema)) return undefined;
  const [, name] = /^#\/\$defs\/([^/]+)$/.exec(String(schema.$ref)) ?? [];
  if (name === undefined) return schema;
  const definition: unknown = Reflect.get(Object(root.$defs), name);
  return isSchema(definition) && definition.$ref === undefined ? definition : undefined;
}
