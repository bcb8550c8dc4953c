import type { OpenClawPluginApi } from "@openclaw/plugin-sdk/plugin-entry";
import type { VisibleConfig } from "@openclaw/plugin-sdk/services";
import { readChannel } from "../registration/channel.js";
import { type Registrar, unregister } from "../registration/registrar.js";

/**
 * Returns `api.registerChannel` (PLUG-035).
 * @param registrar - adds registrations to the registry
 * @param ownChannels - channels of the plugin, whose paths it may use; changed by each registration
 * @param config - returns the configuration as the plugin may see it
 */
export function createChannelRegistrar(
  registrar: Registrar,
  ownChannels: string[],
  config: () => VisibleConfig,
): OpenClawPluginApi["registerChannel"] {
  const { origin } = registrar.instance;
  return (channel) => {
    let added: string | undefined;
    const remove = registrar.add("registerChannel", "channels", () => {
      const read = readChannel(origin, channel, config);
      // A plugin without a manifest has the paths of the channels that it registers.
      added = read.id;
      ownChannels.push(read.id);
      return read;
    });
    return unregister(() => {
      const index = added === undefined ? -1 : ownChannels.lastIndexOf(added);
      if (index >= 0) ownChannels.splice(index, 1);
      added = undefined;
      remove();
    });
  };
}
