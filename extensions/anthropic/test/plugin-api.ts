import type { OpenClawPluginApi, PluginDefinition } from "@openclaw/plugin-sdk/plugin-entry";
import type { ModelProvider } from "@openclaw/plugin-sdk/provider-entry";

/**
 * Registers the plugin and gives its providers by id.
 * @param plugin - the plugin's entry
 * @param config - the plugin's configuration
 */
export async function register<Config extends object>(
  plugin: PluginDefinition<Config>,
  config: Config,
): Promise<Map<string, ModelProvider>> {
  const providers = new Map<string, ModelProvider>();
  const offered = {
    pluginConfig: config,
    registerProvider: (provider: ModelProvider) => void providers.set(provider.id, provider),
  };
  // A provider plugin uses no more of the api than this; anything else is an error here.
  const api = new Proxy(offered as unknown as OpenClawPluginApi<Config>, {
    get(target, member) {
      if (member in offered) return Reflect.get(target, member);
      throw new Error(`the plugin used api.${String(member)}`);
    },
  });
  await plugin.register(api);
  return providers;
}
