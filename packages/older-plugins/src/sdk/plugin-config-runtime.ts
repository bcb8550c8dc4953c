import { isRecord } from "./string-coerce-runtime.js";

/**
 * Returns a configuration.
 * @param config - configuration that the caller passed
 * @param context - name of the caller for the message
 * @throws Error when the caller passed none
 * @deprecated Read `api.runtime.config.current()`.
 */
export function requireRuntimeConfig<Config extends object>(
  config: Config | null | undefined,
  context: string,
): Config {
  if (config !== null && config !== undefined) return config;
  throw new Error(`${context} needs the configuration; pass api.runtime.config.current()`);
}

type Fields = Readonly<Record<string, unknown>>;

/** The `plugins` section of a configuration, with a value for each field. */
export interface NormalizedPluginsConfig {
  readonly enabled: boolean;
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  readonly loadPaths: readonly string[];
  readonly slots: Fields;
  readonly entries: Readonly<Record<string, Fields>>;
}

/**
 * Returns the configuration of a plugin in a configuration of the host.
 * @param config - configuration of the host
 * @returns undefined when it has none
 * @deprecated Use `api.pluginConfig`.
 */
export function resolvePluginConfigObject(
  config: Fields | undefined,
  pluginId: string,
): Record<string, unknown> | undefined {
  const entry = entriesOf(config?.plugins)[pluginId];
  return isRecord(entry?.config) ? entry.config : undefined;
}

/**
 * Returns the configuration of a plugin in the current configuration of the host.
 * @param load - returns the current configuration; the one of the start counts when absent
 * @param atStart - configuration of the plugin at its start
 * @deprecated Use `api.pluginConfig`; the host reloads a plugin whose configuration changed.
 */
export function resolveLivePluginConfigObject(
  load: (() => Fields | undefined) | undefined,
  pluginId: string,
  atStart?: Record<string, unknown>,
): Record<string, unknown> | undefined {
  return typeof load === "function" ? resolvePluginConfigObject(load(), pluginId) : atStart;
}

/**
 * Returns the `plugins` section with a value for each field.
 * @param plugins - section of a configuration
 * @deprecated Ask `api.runtime.plugins`.
 */
export function normalizePluginsConfig(plugins: unknown): NormalizedPluginsConfig {
  const { enabled, allow, deny, load, slots } = isRecord(plugins) ? plugins : {};
  return {
    enabled: enabled !== false,
    allow: strings(allow),
    deny: strings(deny),
    loadPaths: strings(isRecord(load) ? load.paths : undefined),
    slots: isRecord(slots) ? slots : {},
    entries: entriesOf(plugins),
  };
}

/**
 * Decides by the configuration whether a plugin is on.
 * @param plugin - ID, origin, section `plugins`, and the default of a bundled plugin
 * @deprecated A plugin that runs is on.
 */
export function resolveEffectiveEnableState(plugin: {
  readonly id: string;
  readonly origin: string;
  readonly config: NormalizedPluginsConfig;
  readonly enabledByDefault?: boolean;
}): { readonly enabled: boolean; readonly reason?: string } {
  const { id, origin, config, enabledByDefault = false } = plugin;
  const entry = Object.hasOwn(config.entries, id) ? config.entries[id] : undefined;
  if (!config.enabled) return { enabled: false, reason: "plugins disabled" };
  if (config.deny.includes(id)) return { enabled: false, reason: "blocked by denylist" };
  if (entry?.enabled === false) return { enabled: false, reason: "disabled in config" };
  if (config.allow.length > 0 && !config.allow.includes(id)) {
    return { enabled: false, reason: "not in allowlist" };
  }
  const isOff = origin === "bundled" && entry?.enabled !== true && !enabledByDefault;
  return isOff ? { enabled: false, reason: "bundled (disabled by default)" } : { enabled: true };
}

function entriesOf(plugins: unknown): Record<string, Fields> {
  const entries = isRecord(plugins) ? plugins.entries : undefined;
  if (!isRecord(entries)) return {};
  return Object.fromEntries(
    Object.entries(entries).flatMap(([id, entry]) => (isRecord(entry) ? [[id, entry]] : [])),
  );
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}
