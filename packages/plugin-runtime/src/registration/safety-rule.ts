import { misfits, type ValueSchema } from "@openclaw/foundation";
import type { SafetyRule } from "@openclaw/plugin-sdk/plugin-entry";
import type { HostSafetyPort } from "@openclaw/plugin-sdk/services";
import { expectObject, wrongArgument } from "./check.js";
import type { RegistrationOrigin } from "./origin.js";

/** A rule that a plugin adds to the safety engine. */
export interface PluginSafetyRuleRegistration extends RegistrationOrigin {
  readonly rule: Readonly<SafetyRule>;
}

const STRINGS = { type: "array", items: { type: "string" } } as const;
const TEXT = { type: "string", minLength: 1 } as const;
const ACTION = { enum: ["allow", "warn", "redact", "sanitize", "review", "block"] } as const;

const SHAPE: ValueSchema = {
  type: "object",
  properties: {
    id: TEXT,
    title: TEXT,
    reason: TEXT,
    severity: { enum: ["low", "medium", "high", "critical"] },
    kind: { enum: ["leak", "policy"] },
    pattern: TEXT,
    ignoreCase: { type: "boolean" },
    literals: STRINGS,
    actions: {
      type: "object",
      properties: {
        params: ACTION,
        output: ACTION,
        input: ACTION,
        network: ACTION,
        file: ACTION,
        log: ACTION,
      },
      additionalProperties: false,
    },
    examples: {
      type: "object",
      properties: { match: STRINGS, clean: STRINGS },
      required: ["match", "clean"],
      additionalProperties: false,
    },
  },
  required: ["id", "title", "reason", "severity", "kind", "pattern", "examples"],
  additionalProperties: false,
};

/**
 * Checks the argument of `api.registerSafetyRule`: its shape here, its pattern and examples by the host,
 * which has the engine (SAFE-023).
 * @param rule - the rule; a copy is registered
 * @param host - checks rules
 * @throws PluginRegistrationError naming the field
 */
export function readSafetyRule(
  origin: RegistrationOrigin,
  rule: SafetyRule,
  { checkSafetyRule }: HostSafetyPort,
): PluginSafetyRuleRegistration {
  const call = { origin, member: "registerSafetyRule" };
  expectObject(call, "rule", rule);
  const [misfit] = misfits(rule, SHAPE);
  if (misfit !== undefined) {
    throw wrongArgument(call, misfit.path.join(".") || "rule", misfit.message);
  }
  const own = structuredClone(rule);
  const [problem] = checkSafetyRule?.(own) ?? [];
  if (problem !== undefined) throw wrongArgument(call, problem.path, problem.message);
  return { ...origin, rule: Object.freeze(own) };
}
