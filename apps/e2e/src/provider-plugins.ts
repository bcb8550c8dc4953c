import type { ModelProvider, OpenClawPluginApi, PluginDefinition } from "@openclaw/plugin-sdk";

/**
 * Registers a provider plugin and gives its providers.
 * @param plugin - the plugin's entry
 * @param config - the plugin's configuration
 */
export async function registeredProviders<Config>(
  plugin: PluginDefinition<Config>,
  config: Config,
): Promise<ModelProvider[]> {
  const providers: ModelProvider[] = [];
  const offered = {
    pluginConfig: config,
    registerProvider: (provider: ModelProvider) => void providers.push(provider),
  };
  // A provider plugin uses only this part of the api; anything else is an error here.
  const api = new Proxy(offered as unknown as OpenClawPluginApi<Config>, {
    get(target, member) {
      if (member in offered) return Reflect.get(target, member);
      throw new Error(`the plugin used api.${String(member)}`);
    },
  });
  await plugin.register(api);
  return providers;
}
