import type { ChannelRegistration } from "../channel/channel.js";
import type { HostRuntime } from "../host/runtime.js";
import {
  type ConfigOf,
  type ConfigSchema,
  emptyPluginConfigSchema,
} from "../schema/plugin-config.js";
import type { OpenClawPluginApi } from "./api.js";
import type { DefinedPlugin } from "./definition.js";

/** A plugin whose first purpose is a channel. */
export interface ChannelPluginDefinition<Plugin extends ChannelRegistration, Schema> {
  /** Equal to the manifest's id. */
  id: string;
  name?: string;
  description?: string;
  version?: string;
  configSchema?: Schema;
  /** The channel. */
  plugin: Plugin;
  /**
   * Is given what the host can do, before the channel is registered.
   * @param runtime - the same as `api.runtime`
   */
  setRuntime?(runtime: HostRuntime): void;
  /**
   * Registers commands of the command line.
   * @param api - of the plugin
   */
  registerCliMetadata?(api: OpenClawPluginApi<ConfigOf<Schema>>): void | Promise<void>;
  /**
   * Registers whatever else the plugin offers.
   * @param api - of the plugin
   */
  registerFull?(api: OpenClawPluginApi<ConfigOf<Schema>>): void | Promise<void>;
}

/** A channel plugin's entry; the channel itself can be reached through it. */
export interface DefinedChannelPlugin<Plugin, Config> extends DefinedPlugin<Config> {
  readonly channelPlugin: Plugin;
}

/**
 * Makes a plugin of a channel.
 * @param definition - the channel, and what every plugin has
 * @returns a plugin's entry, to export by default
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
