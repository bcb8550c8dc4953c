import type { ReloadRules } from "@openclaw/plugin-sdk/lifecycle";
import { expectObject, expectTexts } from "./check.js";
import type { RegistrationOrigin } from "./origin.js";

/** Rules for config changes that need a restart, a reload, or nothing. */
export interface PluginReloadRulesRegistration extends RegistrationOrigin {
  readonly rules: ReloadRules;
}

/**
 * Checks the argument of `api.registerReload`.
 * @param rules - rules by the first keys of the changed path
 * @throws PluginRegistrationError naming the field
 */
export function readReloadRules(
  origin: RegistrationOrigin,
  rules: ReloadRules,
): PluginReloadRulesRegistration {
  const call = { origin, member: "registerReload" };
  expectObject(call, "rules", rules);
  expectTexts(call, "restartPrefixes", rules.restartPrefixes);
  expectTexts(call, "hotPrefixes", rules.hotPrefixes);
  expectTexts(call, "noopPrefixes", rules.noopPrefixes);
  return { ...origin, rules };
}
