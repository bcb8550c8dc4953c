import { createSafetyRules, type OutputOptions } from "@openclaw/safety";
import type { LoadedConfiguration } from "./configuration.js";

/**
 * Rules and limits of the safety engine from the section `safety`. `SAFETY_MAX_OUTPUT_LENGTH` and
 * `SAFETY_INJECTION_CHECK_ENABLED` go before it (SAFE-002, SAFE-008).
 * @param configuration - checked before
 * @param environment - variables of the process
 */
export function hostSafety(
  { value }: Pick<LoadedConfiguration, "value">,
  environment: NodeJS.ProcessEnv,
): OutputOptions {
  const { maxOutputLength, overflow, injection, injectionCheck, rules, added } = value.safety ?? {};
  const maxLength = numberOf(environment.SAFETY_MAX_OUTPUT_LENGTH) ?? maxOutputLength;
  const check = flagOf(environment.SAFETY_INJECTION_CHECK_ENABLED) ?? injectionCheck;
  const isTuned = rules !== undefined || added !== undefined;
  return {
    ...(maxLength === undefined ? {} : { maxLength }),
    ...(overflow === undefined ? {} : { overflow }),
    ...(injection === undefined ? {} : { injection }),
    ...(check === undefined ? {} : { injectionCheck: check }),
    ...(isTuned ? { rules: createSafetyRules({ rules: rules ?? {}, added: added ?? [] }) } : {}),
  };
}

const LEAST_LENGTH = 256;

function numberOf(text: string | undefined): number | undefined {
  const number = text === undefined || text === "" ? Number.NaN : Number(text);
  return Number.isInteger(number) && number >= LEAST_LENGTH ? number : undefined;
}

function flagOf(text: string | undefined): boolean | undefined {
  if (text === undefined || text === "") return undefined;
  return !/^(?:false|0|no|off)$/i.test(text);
}
