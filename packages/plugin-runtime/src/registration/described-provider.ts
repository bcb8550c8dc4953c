import type { PluginDiagnostic } from "@openclaw/plugin-discovery";
import { RuntimeCapabilityError } from "@openclaw/plugin-sdk/errors";
import type {
  DescribedModels,
  DescribedProvider,
  ModelProvider,
} from "@openclaw/plugin-sdk/provider-entry";
import type { HostAgentPort, VisibleConfig } from "@openclaw/plugin-sdk/services";
import { type ApiCall, expectFunction, expectObject, expectText, wrongArgument } from "./check.js";

/** Dependencies of a described provider. */
export interface DescribedProviderHost {
  /**
   * Adds a diagnostic about the plugin.
   * @param diagnostic - without the plugin's id and file
   */
  diagnose(diagnostic: Omit<PluginDiagnostic, "pluginId" | "source">): void;
  readonly describedModel: HostAgentPort["describedModel"];
  /** Returns the configuration as the plugin may see it. */
  config(): VisibleConfig;
}

/**
 * Makes a provider from the description of an older plugin: the API that serves its models. A provider that only
 * describes a sign-in has no models, which a diagnostic says.
 * @param call - the call of the `api`
 * @param described - id, and models or their catalog
 * @param host - creates the models
 * @throws PluginRegistrationError naming the field
 */
export function providerFromDescription(
  call: ApiCall,
  described: DescribedProvider,
  host: DescribedProviderHost,
): ModelProvider {
  const { id, label = id, models, catalog, envVars = [] } = described;
  if (models !== undefined) checkModels(call, id, models);
  if (catalog !== undefined) expectFunction(call, `catalog of provider "${id}"`, catalog.run);
  const { describedModel } = host;
  const { pluginId } = call.origin;
  const hasModels = models !== undefined || catalog !== undefined;
  if (!hasModels || describedModel === undefined) tellWithoutModels(call, host, id, hasModels);
  const variable = () => envVars.find((name) => (process.env[name] ?? "") !== "");
  const apiKey = () => {
    const name = variable();
    return name === undefined ? undefined : process.env[name];
  };
  const load = async (): Promise<DescribedModels | undefined> => {
    if (models !== undefined) return models;
    const found = await catalog?.run({
      config: host.config(),
      env: process.env,
      resolveProviderApiKey: () => ({ apiKey: apiKey() }),
    });
    return found?.provider ?? found?.providers?.[id];
  };
  return {
    id,
    label,
    defaultModel: models?.models[0]?.id ?? "",
    paid:
      models?.models.every(({ cost }) => (cost?.input ?? 0) + (cost?.output ?? 0) === 0) !== true,
    setup: hasModels
      ? `set ${envVars[0] ?? `the key of ${label} in plugins.entries.${pluginId}.config`}`
      : `use another provider; this host does not run the sign-in of ${label}`,
    // A getter, because the variable may be set after the registration.
    get credential() {
      const source = models?.apiKey === undefined ? variable() : `plugin ${pluginId}`;
      return source === undefined ? undefined : { source };
    },
    async languageModel(modelId) {
      const loaded = await load();
      if (loaded === undefined || describedModel === undefined) {
        const remedy = "choose a model of another provider";
        throw new RuntimeCapabilityError(pluginId, `models of provider ${id}`, remedy);
      }
      const key = loaded.apiKey ?? apiKey();
      return describedModel(key === undefined ? loaded : { ...loaded, apiKey: key }, modelId);
    },
    listModels: async () => (await load())?.models.map((model) => model.id) ?? [],
    offersModels: hasModels && describedModel !== undefined,
  };
}

function checkModels(call: ApiCall, id: string, models: DescribedModels): void {
  expectObject(call, `models of provider "${id}"`, models);
  expectText(call, `models.baseUrl of provider "${id}"`, models.baseUrl);
  if (!Array.isArray(models.models)) {
    throw wrongArgument(call, `models.models of provider "${id}"`, "expected a list of models");
  }
}

function tellWithoutModels(
  { origin }: ApiCall,
  { diagnose }: Pick<DescribedProviderHost, "diagnose">,
  id: string,
  hasModels: boolean,
): void {
  const reason = hasModels
    ? "this host does not create described models"
    : "it only describes a sign-in, which this host does not run";
  diagnose({
    level: "warn",
    code: "provider-without-models",
    message: `provider "${id}" of plugin "${origin.pluginId}" offers no models: ${reason}`,
    hint: "choose a model of another provider with --model or agents.defaults.model",
    unserved: hasModels ? `models of provider "${id}"` : `sign-in of provider "${id}"`,
  });
}
