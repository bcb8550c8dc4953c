import type { ModelProvider } from "@openclaw/plugin-sdk/provider-entry";
import { PluginRegistrationError } from "./errors.js";
import type { PluginProviderRegistration, RegistrationOrigin } from "./registry.js";

const PROVIDER_ID = /^[a-z0-9][a-z0-9._-]*$/;

/**
 * Checks the argument of `api.registerProvider`.
 * @param origin - the plugin
 * @param provider - a source of language models
 * @throws PluginRegistrationError naming the field
 */
export function readProvider(
  origin: RegistrationOrigin,
  provider: ModelProvider,
): PluginProviderRegistration {
  const found: unknown = provider;
  if (typeof found !== "object" || found === null) {
    throw wrong(origin, "provider", `expected an object, got ${String(found)}`);
  }
  const { id } = provider;
  if (typeof id !== "string" || !PROVIDER_ID.test(id)) {
    throw wrong(
      origin,
      "id",
      `expected lower-case letters, digits and . _ -, got ${JSON.stringify(id)}`,
    );
  }
  if (typeof provider.languageModel !== "function") {
    throw wrong(
      origin,
      `languageModel of provider "${id}"`,
      `expected a function, got ${typeof provider.languageModel}`,
    );
  }
  return { ...origin, provider };
}

function wrong(origin: RegistrationOrigin, argument: string, problem: string) {
  return new PluginRegistrationError(origin.pluginId, "registerProvider", argument, problem);
}
