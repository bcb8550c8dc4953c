import type { WebSearchProvider } from "@openclaw/plugin-sdk/plugin-entry";
import { expectFunction, expectName, expectObject, PROVIDER_ID } from "../check.js";
import type { RegistrationOrigin } from "../origin.js";

/** A provider of web search from a plugin. */
export interface PluginWebSearchRegistration extends RegistrationOrigin {
  readonly provider: WebSearchProvider;
}

/**
 * Checks the argument of `api.registerWebSearchProvider`.
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
