import { nearestName, withSuggestion } from "@openclaw/foundation";
import { type SafetyRuleProblem, SafetyRulesError } from "../../errors.js";
import type { ContextActions } from "../action.js";
import { SAFETY_RULES } from "../built-in/rules.js";
import type { SafetyRule } from "../rule.js";
import { compileRules, type RuleSet } from "../set.js";
import { SEVERITIES, type Severity } from "../severity.js";
import { type AddedRule, actionProblems, compileAddedRule, expected } from "./added-rule.js";

/** Changes to one built-in rule. */
export interface RuleTuning {
  /** False disables the rule. */
  readonly enabled?: boolean | undefined;
  readonly severity?: Severity | undefined;
  /** Actions in some contexts; rules for shell commands have none. */
  readonly actions?: Partial<ContextActions> | undefined;
}

/** Section of the configuration that decides which rules are in force. */
export interface SafetyRuleConfig {
  /** Changes by rule id. */
  readonly rules?: Readonly<Record<string, RuleTuning>> | undefined;
  readonly added?: readonly AddedRule[] | undefined;
}

/**
 * Compiles the built-in rules with the operator's changes, and the added rules (SAFE-023,
 * SAFE-042).
 * @param config - section of the configuration, which is validated here
 * @throws SafetyRulesError with every problem
 */
export function createSafetyRules({ rules = {}, added = [] }: SafetyRuleConfig = {}): RuleSet {
  const problems: SafetyRuleProblem[] = [];
  const known = new Set(SAFETY_RULES.map(({ id }) => id));
  for (const [id, tuning] of Object.entries(rules)) {
    const path = `rules.${id}`;
    if (known.has(id)) problems.push(...tuningProblems(id, tuning, path));
    else problems.push({ path, message: unknownRule(id, known) });
  }
  const extra: SafetyRule[] = [];
  for (const [index, entry] of added.entries()) {
    const compiled = compileAddedRule(entry, `added[${index}]`, known);
    problems.push(...compiled.problems);
    if (compiled.rule !== undefined) extra.push(compiled.rule);
    known.add(entry.id);
  }
  if (problems.length > 0) throw new SafetyRulesError(problems);
  const tuned = SAFETY_RULES.filter(({ id }) => tuningOf(rules, id).enabled !== false).map((rule) =>
    tune(rule, tuningOf(rules, rule.id)),
  );
  return compileRules([...tuned, ...extra]);
}

function tuningOf(rules: Readonly<Record<string, RuleTuning>>, id: string): RuleTuning {
  return Object.hasOwn(rules, id) ? { ...rules[id] } : {};
}

function tune(
  rule: SafetyRule,
  { severity = rule.severity, actions = {} }: RuleTuning,
): SafetyRule {
  if (rule.kind === "shell") return { ...rule, severity };
  return { ...rule, severity, actions: { ...rule.actions, ...actions } };
}

function tuningProblems(
  id: string,
  { severity, actions }: RuleTuning,
  path: string,
): SafetyRuleProblem[] {
  const problems = actionProblems(actions ?? {}, `${path}.actions`);
  const isShell = SAFETY_RULES.some((rule) => rule.id === id && rule.kind === "shell");
  if (isShell && actions !== undefined) {
    problems.push({
      path: `${path}.actions`,
      message: "a rule for shell commands has a class instead of actions; it can only be disabled",
    });
  }
  if (severity !== undefined && !SEVERITIES.includes(severity)) {
    problems.push({ path: `${path}.severity`, message: expected(severity, SEVERITIES) });
  }
  return problems;
}

function unknownRule(id: string, known: Iterable<string>): string {
  return withSuggestion("rule not found", nearestName(id, known), "the reference lists all rules");
}
