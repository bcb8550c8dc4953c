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

/** Rules in force, compiled for each context on first use. */
export interface RuleSet {
  /** Every rule, in the order of precedence where several overlap in a text. */
  readonly rules: readonly SafetyRule[];
  readonly shell: readonly ShellRule[];
  /** Finds secrets by their form. */
  leaks(context: SafetyContext): Scanner<LeakRule>;
  /** Finds base64 that may contain a secret. */
  encoded(context: SafetyContext): EncodedSecrets;
  /** Finds text in the shadow copy that addresses the model. */
  injections(context: SafetyContext): Scanner<InjectionRule>;
  /** Finds characters in the text itself that the shadow copy does not show. */
  hidden(context: SafetyContext): Scanner<InjectionRule>;
  /** Checks properties of the complete text. */
  validations(context: SafetyContext): Scanner<ValidationRule>;
  /** Finds content that parameters should not have. */
  policies(context: SafetyContext): Scanner<PolicyRule>;
  /** Finds data that a log should not contain. */
  logs(): Scanner<LeakRule | LogRule>;
}

/**
 * Compiles rules.
 * @param rules - rules with unique IDs
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
