import type { SpeechProvider } from "@openclaw/plugin-sdk/plugin-entry";
import { expectFunction, expectName, expectObject, PROVIDER_ID } from "../check.js";
import type { RegistrationOrigin } from "../origin.js";

/** A provider of speech from a plugin. */
export interface PluginSpeechRegistration extends RegistrationOrigin {
  readonly provider: SpeechProvider;
}

/**
 * Checks the argument of `api.registerSpeechProvider`.
 * @throws PluginRegistrationError naming the field
 */
export function readSpeechProvider(
  origin: RegistrationOrigin,
  provider: SpeechProvider,
): PluginSpeechRegistration {
  const call = { origin, member: "registerSpeechProvider" };
  expectObject(call, "provider", provider);
  const id = expectName(call, "id", provider.id, PROVIDER_ID);
  expectFunction(call, `synthesize of provider "${id}"`, provider.synthesize);
  return { ...origin, provider };
}
