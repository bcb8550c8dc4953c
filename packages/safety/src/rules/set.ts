import type { SafetyContext } from "./action.js";
import { type EncodedSecrets, encodedSecrets } from "./encoded-secret.js";
import type {
  InjectionRule,
  LeakRule,
  LogRule,
  PolicyRule,
  SafetyRule,
  ShellRule,
  TextRule,
  ValidationRule,
} from "./rule.js";
import { compileScanner, type Scanner } from "./scanner.js";

/** The rules in force, compiled for each context on first use. */
export interface RuleSet {
  /** Every rule; where several overlap in a text, the first one names what was there. */
  readonly rules: readonly SafetyRule[];
  readonly shell: readonly ShellRule[];
  /** Looks for secrets by their form. */
  leaks(context: SafetyContext): Scanner<LeakRule>;
  /** Looks for base64 that may hold a secret. */
  encoded(context: SafetyContext): EncodedSecrets;
  /** Looks in the shadow copy for text that speaks to the model. */
  injections(context: SafetyContext): Scanner<InjectionRule>;
  /** Looks in the text itself for what the shadow copy does not show. */
  hidden(context: SafetyContext): Scanner<InjectionRule>;
  /** Looks at the text as a whole. */
  validations(context: SafetyContext): Scanner<ValidationRule>;
  /** Looks for what parameters should not say. */
  policies(context: SafetyContext): Scanner<PolicyRule>;
  /** Looks for what a log should not hold. */
  logs(): Scanner<LeakRule | LogRule>;
}

/**
 * Compiles rules.
 * @param rules - with unique ids
 */
export function compileRules(rules: readonly SafetyRule[]): RuleSet {
  const leakRules = rules.filter((rule) => rule.kind === "leak");
  const injectionRules = rules.filter((rule) => rule.kind === "injection");
  const validationRules = rules.filter((rule) => rule.kind === "validation");
  const policyRules = rules.filter((rule) => rule.kind === "policy");
  const logRules = rules.filter((rule) => rule.kind === "log");
  const logs = onFirstUse((context: SafetyContext) =>
    compileScanner<LeakRule | LogRule>([
      ...inForce(leakRules, context),
      ...inForce(logRules, context),
    ]),
  );
  return {
    rules,
    shell: rules.filter((rule) => rule.kind === "shell"),
    leaks: onFirstUse((context) => compileScanner(inForce(leakRules, context))),
    encoded: onFirstUse((context) => encodedSecrets(inForce(leakRules, context))),
    injections: onFirstUse((context) =>
      compileScanner(inForce(injectionRules, context).filter(({ sees }) => sees === "shadow")),
    ),
    hidden: onFirstUse((context) =>
      compileScanner(inForce(injectionRules, context).filter(({ sees }) => sees === "text")),
    ),
    validations: onFirstUse((context) => compileScanner(inForce(validationRules, context))),
    policies: onFirstUse((context) => compileScanner(inForce(policyRules, context))),
    logs: () => logs("log"),
  };
}

function inForce<Rule extends TextRule>(rules: readonly Rule[], context: SafetyContext): Rule[] {
  return rules.filter(({ actions }) => actions[context] !== "allow");
}

function onFirstUse<Value>(
  make: (context: SafetyContext) => Value,
): (context: SafetyContext) => Value {
  const made = new Map<SafetyContext, Value>();
  return (context) => {
    const known = made.get(context) ?? make(context);
    made.set(context, known);
    return known;
  };
}
