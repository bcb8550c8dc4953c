import type { PluginDataPort } from "../host/plugin-data.js";
import {
  type ConfigOf,
  type ConfigSchema,
  emptyPluginConfigSchema,
} from "../schema/plugin-config.js";
import type { OpenClawPluginApi } from "./api.js";
import type { Unregister } from "./unregister.js";

/**
 * Default export of a plugin's entry module.
 * @typeParam Config - type of the plugin's configuration
 */
export interface PluginDefinition<Config = Record<string, unknown>> {
  /** Id, equal to the manifest's. */
  id: string;
  name?: string;
  description?: string;
  version?: string;
  kind?: string | string[];
  /** Schema checked before `register`, in addition to the manifest's schema. */
  configSchema?: ConfigSchema;
  /**
   * Moves the databases of the plugin when the host moves to another engine (`openclaw db migrate`). A plugin with a
   * database and without this port stops the move.
   */
  data?: PluginDataPort;
  /** Registers everything that the plugin offers; awaited, with a deadline. */
  register(api: OpenClawPluginApi<Config>): void | Unregister | Promise<void>;
}

/** Plugin definition with a configuration schema. */
export interface DefinedPlugin<Config = Record<string, unknown>> extends PluginDefinition<Config> {
  configSchema: ConfigSchema;
}

/** Placeholder for a configuration type that is inferred from the schema. */
declare const fromSchema: unique symbol;
type FromSchema = typeof fromSchema;

/** Configuration type given by the author, otherwise the type inferred from the schema. */
export type ConfigType<Named, Schema> = [Named] extends [FromSchema] ? ConfigOf<Schema> : Named;

/**
 * Defines the entry of a plugin. The type of `api.pluginConfig` is inferred from `configSchema`. A plugin with a schema
 * only in its manifest passes the type: `definePluginEntry<MyConfig>({ … })`.
 * @returns the same plugin, with an empty schema when it has none
 * @example
 * ```ts
 * import { definePluginEntry } from "@openclaw/plugin-sdk/plugin-entry";
 * import { Type } from "typebox";
 *
 * export default definePluginEntry({
 *   id: "hello",
 *   configSchema: Type.Object({ greeting: Type.String({ default: "Hello" }) }),
 *   register(api) {
 *     api.on("message_received", ({ from }) => {
 *       api.logger.info(`${api.pluginConfig.greeting}, ${from}`);
 *     });
 *   },
 * });
 * ```
 */
export function definePluginEntry<Config = FromSchema, const Schema extends ConfigSchema = object>(
  definition: Omit<PluginDefinition<ConfigType<Config, Schema>>, "configSchema"> & {
    configSchema?: Schema;
  },
): DefinedPlugin<ConfigType<Config, Schema>> {
  return { ...definition, configSchema: definition.configSchema ?? emptyPluginConfigSchema() };
}
