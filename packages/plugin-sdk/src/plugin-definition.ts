import type { JsonSchema } from "./json.js";
import type { OpenClawPluginApi } from "./plugin-api.js";

/**
 * What a plugin's entry module exports by default.
 * @typeParam Config - type of the plugin's configuration
 */
export interface PluginDefinition<Config = Record<string, unknown>> {
  /** Equal to the manifest's id. */
  id: string;
  name?: string;
  description?: string;
  version?: string;
  kind?: string | string[];
  /** Checked before `register`, in addition to the manifest's schema. */
  configSchema?: JsonSchema;
  /** Registers everything the plugin offers; awaited, within a deadline. */
  register(api: OpenClawPluginApi<Config>): void | Promise<void>;
}

/** A plugin whose configuration schema is there in any case. */
export interface DefinedPlugin<Config = Record<string, unknown>> extends PluginDefinition<Config> {
  configSchema: JsonSchema;
}

/** The schema of a plugin that takes no configuration. */
export const emptyPluginConfigSchema: JsonSchema = Object.freeze({
  type: "object",
  properties: Object.freeze({}),
  additionalProperties: false,
});

/**
 * Types a plugin's entry.
 * @param definition - the plugin
 * @returns the same plugin, with the empty schema when it gave none
 * @example
 * ```ts
 * export default definePluginEntry({
 *   id: "hello",
 *   register(api) {
 *     api.on("message_received", (event) => api.logger.info(`got ${event.content}`));
 *   },
 * });
 * ```
 */
export function definePluginEntry<Config = Record<string, unknown>>(
  definition: PluginDefinition<Config>,
): DefinedPlugin<Config> {
  return { ...definition, configSchema: definition.configSchema ?? emptyPluginConfigSchema };
}
