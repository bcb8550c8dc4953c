import type { ChannelRegistration } from "../channel/channel.js";
import type { PluginDataPort } from "../host/plugin-data.js";
import type { HostRuntime } from "../host/runtime.js";
import {
  type ConfigOf,
  type ConfigSchema,
  emptyPluginConfigSchema,
} from "../schema/plugin-config.js";
import type { OpenClawPluginApi } from "./api.js";
import type { DefinedPlugin } from "./definition.js";

/** Definition of a channel plugin. */
export interface ChannelPluginDefinition<Plugin extends ChannelRegistration, Schema> {
  /** Id, equal to the manifest's. */
  id: string;
  name?: string;
  description?: string;
  version?: string;
  configSchema?: Schema;
  /** Moves the databases of the plugin, as in `PluginDefinition`. */
  data?: PluginDataPort;
  /** The channel. */
  plugin: Plugin;
  /**
   * Receives the capabilities of the host before the channel is registered.
   * @param runtime - the value of `api.runtime`
   */
  setRuntime?(runtime: HostRuntime): void;
  /**
   * Registers commands of the command line.
   * @param api - `api` of the plugin
   */
  registerCliMetadata?(api: OpenClawPluginApi<ConfigOf<Schema>>): void | Promise<void>;
  /**
   * Registers everything else that the plugin offers.
   * @param api - `api` of the plugin
   */
  registerFull?(api: OpenClawPluginApi<ConfigOf<Schema>>): void | Promise<void>;
}

/** Entry of a channel plugin, with its channel. */
export interface DefinedChannelPlugin<Plugin, Config> extends DefinedPlugin<Config> {
  readonly channelPlugin: Plugin;
}

/**
 * Creates the entry of a plugin with one channel.
 * @param definition - the channel and the fields of every plugin
 * @returns the entry, to be the default export
 * @example
 * ```ts
 * import { defineChannelPluginEntry } from "@openclaw/plugin-sdk/channel-core";
 *
 * export default defineChannelPluginEntry({
 *   id: "echo-channel",
 *   plugin: {
 *     name: "echo",
 *     async *start({ signal }) {
 *       while (!signal.aborted) yield* [];
 *     },
 *     async respond(_message, { content }) {
 *       console.log(content);
 *     },
 *   },
 * });
 * ```
 */
export function defineChannelPluginEntry<
  const Plugin extends ChannelRegistration,
  const Schema extends ConfigSchema = object,
>({
  plugin,
  configSchema,
  setRuntime,
  registerCliMetadata,
  registerFull,
  ...identity
}: ChannelPluginDefinition<Plugin, Schema>): DefinedChannelPlugin<Plugin, ConfigOf<Schema>> {
  return {
    ...identity,
    configSchema: configSchema ?? emptyPluginConfigSchema(),
    channelPlugin: plugin,
    async register(api) {
      setRuntime?.(api.runtime);
      api.registerChannel(plugin);
      await registerCliMetadata?.(api);
      await registerFull?.(api);
    },
  };
}
