import { deepFreeze } from "./plugin-config.js";

/** Stands for a value that a plugin may not see. */
export const REDACTED = "[redacted]";

/** Keys whose values are secrets, by the words in their names. */
const SECRET_KEY =
  /(?:^|[_-])(?:token|secret|password|passphrase|credential|authorization|api_?key|private_?key)s?$/;

/** Sections of the configuration that belong to one plugin, which alone reads them. */
const SECTION_OWNERS: ReadonlyMap<string, string> = new Map([["mcpServers", "mcp"]]);

/** Plugin that reads the configuration, and the channels that its manifest declares. */
export interface ConfigReader {
  readonly pluginId: string;
  readonly channels: readonly string[];
}

/**
 * Returns the host's configuration as plugins see it: a frozen copy in which values under keys that
 * name secrets, and the configuration of other plugins, are redacted. Best effort by name; a host
 * that knows its secrets better passes its own view.
 * @param config - the host's configuration
 * @param reader - plugin whose own entry and channels are complete; nothing is when absent
 */
export function visibleConfig(
  config: Readonly<Record<string, unknown>>,
  reader?: ConfigReader,
): Readonly<Record<string, unknown>> {
  return deepFreeze(copy(config, [], reader) as Record<string, unknown>);
}

function copy(value: unknown, path: readonly string[], reader: ConfigReader | undefined): unknown {
  if (Array.isArray(value)) return value.map((item) => copy(item, path, reader));
  if (typeof value !== "object" || value === null) return value;
  if (isOwn(path, reader)) return structuredClone(value);
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => {
      const here = [...path, key];
      const isHidden = isSecret(here) && !isEntry(here, part) && part !== undefined;
      return [key, isHidden ? REDACTED : copy(part, here, reader)];
    }),
  );
}

/** A plugin with several entries has one entry in the configuration, under the first part of their ids. */
function isOwn(path: readonly string[], reader: ConfigReader | undefined): boolean {
  if (reader === undefined) return false;
  const { pluginId, channels } = reader;
  const [section, list, id] = path;
  if (path.length === 1 && section !== undefined) return SECTION_OWNERS.get(section) === pluginId;
  if (section === "channels" && path.length === 2 && list !== undefined)
    return list === pluginId || channels.includes(list);
  return (
    section === "plugins" &&
    list === "entries" &&
    path.length === 3 &&
    id !== undefined &&
    (id === pluginId || pluginId.startsWith(`${id}/`))
  );
}

/** The key of an entry is the ID of a plugin or a channel; one such as `secrets` does not make its fields secret. */
function isEntry([section, list, ...rest]: readonly string[], value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return section === "channels"
    ? list !== undefined && rest.length === 0
    : section === "plugins" && list === "entries" && rest.length === 1;
}

function isSecret(path: readonly string[]): boolean {
  const [section = "", list, , field] = path;
  if (SECTION_OWNERS.has(section)) return path.length === 2;
  if (section === "plugins" && list === "entries" && path.length === 4) {
    return field === "config" || field === "env";
  }
  return SECRET_KEY.test(snakeCase(path.at(-1) ?? ""));
}

function snakeCase(key: string): string {
  return key.replace(/([a-z0-9])([A-Z])/g, "$1_$2").toLowerCase();
}
