import type { TrustedToolPolicy } from "@openclaw/plugin-sdk";
import { expectFunction, expectObject, expectText } from "./registration-check.js";
import type { RegistrationOrigin } from "./registration-origin.js";

/** A policy of a plugin that judges tool calls before any ordinary hook. */
export interface PluginTrustedPolicyRegistration extends RegistrationOrigin {
  readonly policy: TrustedToolPolicy;
}

/**
 * Checks the argument of `api.registerTrustedToolPolicy` (PLUG-037).
 * @param origin - the plugin
 * @param policy - a policy
 * @throws PluginRegistrationError naming the field
 */
export function readTrustedPolicy(
  origin: RegistrationOrigin,
  policy: TrustedToolPolicy,
): PluginTrustedPolicyRegistration {
  const call = { origin, member: "registerTrustedToolPolicy" };
  expectObject(call, "policy", policy);
  const id = expectText(call, "id", policy.id);
  expectText(call, `description of policy "${id}"`, policy.description);
  expectFunction(call, `evaluate of policy "${id}"`, policy.evaluate);
  return { ...origin, policy };
}
