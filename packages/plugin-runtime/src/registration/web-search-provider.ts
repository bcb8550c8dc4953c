import type { WebSearchProvider } from "@openclaw/plugin-sdk/plugin-entry";
import { expectFunction, expectName, expectObject, type NameRule } from "./check.js";
import type { RegistrationOrigin } from "./origin.js";

/** A provider of web search from a plugin. */
export interface PluginWebSearchRegistration extends RegistrationOrigin {
  readonly provider: WebSearchProvider;
}

const PROVIDER_ID: NameRule = {
  pattern: /^[a-z0-9][a-z0-9._-]*$/,
  expected: "lower-case letters, digits and . _ -",
};

/**
 * Checks the argument of `api.registerWebSearchProvider`.
 * @param origin - the plugin
 * @param provider - the provider
 * @throws PluginRegistrationError naming the field
 */
export function readWebSearchProvider(
  origin: RegistrationOrigin,
  provider: WebSearchProvider,
): PluginWebSearchRegistration {
  const call = { origin, member: "registerWebSearchProvider" };
  expectObject(call, "provider", provider);
  const id = expectName(call, "id", provider.id, PROVIDER_ID);
  expectFunction(call, `search of provider "${id}"`, provider.search);
  return { ...origin, provider };
}
