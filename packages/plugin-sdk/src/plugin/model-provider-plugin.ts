import { RuntimeCapabilityError } from "../errors.js";
import type { ModelProvider } from "../providers/model.js";
import {
  type ProviderConfig,
  type ProviderProperties,
  type ProviderSettings,
  type ProviderVariables,
  providerSettings,
} from "../providers/settings.js";
import type { OpenClawPluginApi } from "./api.js";
import type { DefinedPlugin } from "./definition.js";

/** Definition of a plugin that offers only language models. */
export interface ModelProviderPluginDefinition<Properties> {
  /** Id, equal to the manifest's. */
  id: string;
  name?: string;
  description?: string;
  version?: string;
  /**
   * Properties of the plugin's configuration, each a JSON Schema, all optional and no others allowed.
   * `openclaw plugins build` writes the manifest's `configSchema` from them.
   */
  config: Properties;
  /** Environment variable of each setting that has one; the configuration takes precedence. */
  env: ProviderVariables<Properties>;
  /**
   * Creates the providers. Called once, during registration of the plugin.
   * @param settings - configuration and environment
   * @param host - facts about the host
   */
  create(
    settings: ProviderSettings<Properties>,
    host: ProviderHost,
  ): ModelProvider | readonly ModelProvider[];
  /**
   * Registers what the plugin offers besides models, for example a command to sign in.
   * @param api - registration of the plugin
   * @param settings - configuration and environment
   * @param host - facts about the host
   */
  register?(
    api: OpenClawPluginApi<ProviderConfig<Properties>>,
    settings: ProviderSettings<Properties>,
    host: ProviderHost,
  ): void;
}

/** Facts about the host of a provider. */
export interface ProviderHost {
  /**
   * Returns the state folder of the host, for files such as a session.
   * @throws RuntimeCapabilityError when the host does not state it
   */
  stateDir(): string;
}

/**
 * Creates the entry of a plugin with one or more model providers.
 * @param definition - settings and providers
 * @returns the entry, to be the default export
 * @example
 * ```ts
 * import { defineModelProviderPlugin } from "@openclaw/plugin-sdk/provider-entry";
 * import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
 *
 * export default defineModelProviderPlugin({
 *   id: "acme",
 *   config: {
 *     apiKey: { type: "string", description: "API key; default: the variable ACME_API_KEY." },
 *     model: { type: "string", description: "Default model; default: the variable ACME_MODEL." },
 *   },
 *   env: { apiKey: "ACME_API_KEY", model: "ACME_MODEL" },
 *   create: (settings) => ({
 *     id: "acme",
 *     label: "Acme",
 *     defaultModel: settings.find("model")?.value ?? "acme-large",
 *     paid: true,
 *     setup: "set ACME_API_KEY",
 *     credential: settings.credential("apiKey"),
 *     languageModel(modelId) {
 *       const apiKey = settings.require("apiKey", { label: "API key" });
 *       const baseURL = "https://api.acme.example/v1";
 *       return createOpenAICompatible({ name: "acme", baseURL, apiKey }).chatModel(modelId);
 *     },
 *   }),
 * });
 * ```
 */
export function defineModelProviderPlugin<const Properties extends ProviderProperties>({
  config: properties,
  env,
  create,
  register,
  ...identity
}: ModelProviderPluginDefinition<Properties>): DefinedPlugin<ProviderConfig<Properties>> {
  return {
    ...identity,
    configSchema: { type: "object", additionalProperties: false, properties },
    register(api) {
      const settings = providerSettings<Properties>({
        pluginId: identity.id,
        config: api.pluginConfig,
        variables: env,
        environment: process.env,
      });
      const host = { stateDir: () => stateDirOf(identity.id, api) };
      const made = create(settings, host);
      for (const provider of [made].flat()) api.registerProvider(provider);
      register?.(api, settings, host);
    },
  };
}

function stateDirOf(pluginId: string, { runtime }: Pick<OpenClawPluginApi, "runtime">): string {
  const folder = runtime.state.resolveStateDir?.();
  if (folder !== undefined) return folder;
  const nextStep = "configure the path of the file, or update the host";
  throw new RuntimeCapabilityError(pluginId, "runtime.state.resolveStateDir", nextStep);
}
