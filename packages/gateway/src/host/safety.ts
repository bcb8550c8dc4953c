import {
  flagFromEnvironment,
  type LoadedConfiguration,
  numberFromEnvironment,
} from "@openclaw/configuration";
import { defined } from "@openclaw/foundation";
import {
  type AddedRule,
  createSafetyRules,
  DEFAULT_BINARIES,
  type SafetySettings,
} from "@openclaw/safety";

/**
 * Returns the rules and limits of the safety engine from the section `safety`. `SAFETY_MAX_OUTPUT_LENGTH` and
 * `SAFETY_INJECTION_CHECK_ENABLED` override it (SAFE-002, SAFE-008).
 * @param configuration - valid configuration
 * @param environment - environment variables of the process
 * @param pluginRules - valid rules of plugins
 * @throws ConfigurationError when a variable is not valid
 */
export function hostSafety(
  { value }: Pick<LoadedConfiguration, "value">,
  environment: NodeJS.ProcessEnv,
  pluginRules: readonly AddedRule[] = [],
): SafetySettings {
  const { maxOutputLength, overflow, injection, injectionCheck, rules, added } = value.safety ?? {};
  const { maxInputLength, forbidden, binaries } = value.safety ?? {};
  const maxLength = numberFromEnvironment("safety.maxOutputLength", environment) ?? maxOutputLength;
  const check = flagFromEnvironment("safety.injectionCheck", environment) ?? injectionCheck;
  const isTuned = rules !== undefined || added !== undefined || pluginRules.length > 0;
  return defined({
    maxLength,
    overflow,
    injection,
    injectionCheck: check,
    maxInputLength,
    forbidden,
    binaries: binaries && [
      ...(binaries.usual === false ? [] : DEFAULT_BINARIES),
      ...(binaries.allow ?? []),
    ],
    rules: isTuned
      ? createSafetyRules({ rules, added: [...(added ?? []), ...pluginRules] })
      : undefined,
  });
}
