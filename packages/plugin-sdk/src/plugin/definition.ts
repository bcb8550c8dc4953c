import {
  type ConfigOf,
  type ConfigSchema,
  emptyPluginConfigSchema,
} from "../schema/plugin-config.js";
import type { OpenClawPluginApi } from "./api.js";

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
  configSchema?: ConfigSchema;
  /** Registers everything the plugin offers; awaited, within a deadline. */
  register(api: OpenClawPluginApi<Config>): void | Promise<void>;
}

/** A plugin whose configuration schema is there in any case. */
export interface DefinedPlugin<Config = Record<string, unknown>> extends PluginDefinition<Config> {
  configSchema: ConfigSchema;
}

/** Stands for a configuration type that the author left to the schema. */
declare const fromSchema: unique symbol;
type FromSchema = typeof fromSchema;

/** The type an author named for the configuration, or else the one that follows from the schema. */
export type ConfigType<Named, Schema> = [Named] extends [FromSchema] ? ConfigOf<Schema> : Named;

/**
 * Types a plugin's entry. The type of `api.pluginConfig` follows from `configSchema`; a plugin whose
 * schema stands in its manifest alone names the type: `definePluginEntry<MyConfig>({ … })`.
 * @param definition - the plugin
 * @returns the same plugin, with the empty schema when it gave none
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
