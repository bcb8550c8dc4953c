import type { CompactionProvider } from "@openclaw/plugin-sdk/plugin-entry";
import { expectObject, expectText } from "../check.js";
import type { RegistrationOrigin } from "../origin.js";

/** A provider of conversation compaction. */
export interface PluginCompactionProviderRegistration extends RegistrationOrigin {
  readonly provider: CompactionProvider;
}

/**
 * Checks the argument of `api.registerCompactionProvider`.
 * @param provider - the provider with its id
 * @throws PluginRegistrationError naming the field
 */
export function readCompactionProvider(
  origin: RegistrationOrigin,
  provider: CompactionProvider,
): PluginCompactionProviderRegistration {
  const call = { origin, member: "registerCompactionProvider" };
  expectObject(call, "provider", provider);
  expectText(call, "id", provider.id);
  return { ...origin, provider };
}
