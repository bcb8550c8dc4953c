import type { DescribedProvider, ModelProvider } from "@openclaw/plugin-sdk/provider-entry";
import type { PluginInstance } from "../instances/instance.js";
import { expectFunction, expectName, expectObject, type NameRule } from "./check.js";
import { type DescribedProviderHost, providerFromDescription } from "./described-provider.js";
import type { RegistrationOrigin } from "./origin.js";

/** A provider of language models from a plugin. */
export interface PluginProviderRegistration extends RegistrationOrigin {
  readonly provider: ModelProvider;
}

const PROVIDER_ID: NameRule = {
  pattern: /^[a-z0-9][a-z0-9._-]*$/,
  expected: "lower-case letters, digits and . _ -",
};

/** Fields by which older plugins describe a provider. */
const DESCRIPTIONS = ["models", "catalog", "auth"] as const;

/**
 * Checks the argument of `api.registerProvider`.
 * @param instance - the plugin
 * @param provider - the model provider, or the description of one
 * @param host - creates described models
 * @throws PluginRegistrationError naming the field
 */
export function readProvider(
  instance: PluginInstance,
  provider: ModelProvider | DescribedProvider,
  host: DescribedProviderHost,
): PluginProviderRegistration {
  const { origin } = instance;
  const call = { origin, member: "registerProvider" };
  expectObject(call, "provider", provider);
  const id = expectName(call, "id", provider.id, PROVIDER_ID);
  if (isDescribed(provider)) {
    return { ...origin, provider: providerFromDescription(instance, call, provider, host) };
  }
  expectFunction(call, `languageModel of provider "${id}"`, provider.languageModel);
  return { ...origin, provider };
}

function isDescribed(provider: ModelProvider | DescribedProvider): provider is DescribedProvider {
  return !("languageModel" in provider) && DESCRIPTIONS.some((field) => field in provider);
}
