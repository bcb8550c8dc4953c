import type { ModelProvider } from "@openclaw/plugin-sdk/provider-entry";
import { expectFunction, expectName, expectObject, type NameRule } from "./check.js";
import type { RegistrationOrigin } from "./origin.js";

/** A provider of language models from a plugin. */
export interface PluginProviderRegistration extends RegistrationOrigin {
  readonly provider: ModelProvider;
}

const PROVIDER_ID: NameRule = {
  pattern: /^[a-z0-9][a-z0-9._-]*$/,
  expected: "lower-case letters, digits and . _ -",
};

/**
 * Checks the argument of `api.registerProvider`.
 * @param origin - the plugin
 * @param provider - the model provider
 * @throws PluginRegistrationError naming the field
 */
export function readProvider(
  origin: RegistrationOrigin,
  provider: ModelProvider,
): PluginProviderRegistration {
  const call = { origin, member: "registerProvider" };
  expectObject(call, "provider", provider);
  const id = expectName(call, "id", provider.id, PROVIDER_ID);
  expectFunction(call, `languageModel of provider "${id}"`, provider.languageModel);
  return { ...origin, provider };
}
