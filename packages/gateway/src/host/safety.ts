import { defined } from "@openclaw/foundation";
import {
  type AddedRule,
  createSafetyRules,
  DEFAULT_BINARIES,
  type SafetySettings,
} from "@openclaw/safety";
import type { LoadedConfiguration } from "../configuration/configuration.js";
import { type FoundVariable, variableOf } from "../configuration/environment.js";
import { ConfigurationError } from "../errors.js";

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
  const maxLength = lengthOf(variableOf("safety.maxOutputLength", environment)) ?? maxOutputLength;
  const check = flagOf(variableOf("safety.injectionCheck", environment)) ?? injectionCheck;
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

const LEAST_LENGTH = 256;

function lengthOf(variable: FoundVariable | undefined): number | undefined {
  if (variable === undefined) return undefined;
  const { name, value } = variable;
  const length = Number(value);
  if (Number.isInteger(length) && length >= LEAST_LENGTH) return length;
  throw new ConfigurationError([
    {
      key: name,
      message: `the value is ${JSON.stringify(value)}`,
      suggestion: `expected a whole number of bytes, at least ${LEAST_LENGTH}`,
      file: "environment",
      line: 1,
      column: 1,
    },
  ]);
}

function flagOf(variable: FoundVariable | undefined): boolean | undefined {
  return variable && !/^(?:false|0|no|off)$/i.test(variable.value);
}
