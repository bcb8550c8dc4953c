import type { DescribedProvider, ModelProvider } from "@openclaw/plugin-sdk/provider-entry";
import {
  describe,
  expectFunction,
  expectName,
  expectObject,
  type NameRule,
  wrongArgument,
} from "./check.js";
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

/** Versions of the AI SDK's specification whose models the host accepts (LLM-002). */
const SPECIFICATIONS = ["v2", "v3", "v4"] as const;

/** Fields by which older plugins describe a provider. */
const DESCRIPTIONS = ["models", "catalog", "auth"] as const;

/**
 * Checks the argument of `api.registerProvider`.
 * @param provider - the model provider, or the description of one
 * @param host - creates described models
 * @throws PluginRegistrationError naming the field
 */
export function readProvider(
  origin: RegistrationOrigin,
  provider: ModelProvider | DescribedProvider,
  host: DescribedProviderHost,
): PluginProviderRegistration {
  const call = { origin, member: "registerProvider" };
  expectObject(call, "provider", provider);
  const id = expectName(call, "id", provider.id, PROVIDER_ID);
  if (isDescribed(provider)) {
    return { ...origin, provider: providerFromDescription(call, provider, host) };
  }
  expectFunction(call, `languageModel of provider "${id}"`, provider.languageModel);
  const version: unknown = provider.specificationVersion;
  if (version !== undefined && !SPECIFICATIONS.some((known) => known === version)) {
    const problem = `expected ${SPECIFICATIONS.join(", ")} or none, got ${describe(version)}`;
    throw wrongArgument(call, `specificationVersion of provider "${id}"`, problem);
  }
  return { ...origin, provider };
}

function isDescribed(provider: ModelProvider | DescribedProvider): provider is DescribedProvider {
  return !("languageModel" in provider) && DESCRIPTIONS.some((field) => field in provider);
}
