import type { ModelProvider, OpenClawPluginApi, PluginDefinition } from "@openclaw/plugin-sdk";

/**
 * Returns the providers of a plugin that offers only models, without a host: they read the environment of the process
 * and the given configuration.
 * @param plugin - the entry of the plugin
 * @param config - configuration of the plugin
 * @param stateDir - state folder, for plugins that keep files in it
 * @throws Error when the plugin uses another part of the API
 */
export async function registeredProviders<Config>(
  plugin: PluginDefinition<Config>,
  config: Config,
  stateDir = "/nonexistent",
): Promise<ModelProvider[]> {
  const providers: ModelProvider[] = [];
  const offered = {
    pluginConfig: config,
    runtime: { state: { resolveStateDir: () => stateDir } },
    registerCli: () => undefined,
    registerProvider: (provider: ModelProvider) => void providers.push(provider),
  };
  // A provider plugin uses only this part of the API; anything else is an error here.
  const api = new Proxy(offered as unknown as OpenClawPluginApi<Config>, {
    get(target, member) {
      if (member in offered) return Reflect.get(target, member);
      throw new Error(`the plugin used api.${String(member)}; test it with createTestHost`);
    },
  });
  await plugin.register(api);
  return providers;
}
