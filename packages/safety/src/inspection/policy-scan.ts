import { type SafetyAction, type SafetyContext, strongestAction } from "../rules/action.js";
import { BUILT_IN_RULES } from "../rules/built-in/rules.js";
import { type Finding, findingOf, limitFindings, MOST_FINDINGS } from "../rules/finding.js";
import type { PolicyRule } from "../rules/rule.js";
import type { RuleSet } from "../rules/set.js";
import { maskSecret } from "../text/mask.js";
import { type OffsetMap, SAME_OFFSETS } from "../text/offset-map.js";
import type { Range } from "../text/range.js";
import { TextViews } from "../text/views.js";

export interface PolicyOptions {
  /** Origin of the text; default `params`, the strictest. */
  readonly context?: SafetyContext | undefined;
  /** Rules in force; default the built-in ones. */
  readonly rules?: RuleSet | undefined;
}

export interface PolicyScan {
  /** Strongest action among the findings; `allow` without findings. */
  readonly action: SafetyAction;
  /** True when that action blocks the text. */
  readonly blocked: boolean;
  readonly findings: readonly Finding[];
}

/** Match of a policy rule, with a masked preview. */
export interface PolicyMatch {
  readonly rule: PolicyRule;
  readonly range: Range;
  readonly preview: string;
}

/** Applies the policy rules to a text (SAFE-037 to SAFE-042). */
export function scanPolicy(
  text: string,
  { context = "params", rules = BUILT_IN_RULES }: PolicyOptions = {},
): PolicyScan {
  const matches = findPolicyMatches(new TextViews(text), context, rules);
  const action = strongestAction(matches.map(({ rule }) => rule.actions[context]));
  return {
    action,
    blocked: action === "block",
    findings: limitFindings(matches.map((match) => policyFinding(match, context, SAME_OFFSETS))),
  };
}

/**
 * Returns the matches of the policy rules on the shadow copy of a text, up to {@link MOST_FINDINGS} equal
 * matches per rule.
 * @param context - origin of the text
 * @param rules - rules in force
 */
export function findPolicyMatches(
  { shadow }: TextViews,
  context: SafetyContext,
  rules: RuleSet,
): PolicyMatch[] {
  const matches: PolicyMatch[] = [];
  const counts = new Map<PolicyRule, Map<string, number>>();
  for (const { subject, range } of rules.policies(context)(shadow.text)) {
    const matched = shadow.text.slice(...range);
    const known = counts.get(subject) ?? new Map<string, number>();
    counts.set(subject, known);
    const count = known.get(matched) ?? 0;
    if (count >= MOST_FINDINGS) continue;
    known.set(matched, count + 1);
    if (subject.exempt?.(matched, context) === true) continue;
    const preview = maskSecret(matched);
    matches.push({ rule: subject, range: shadow.offsets.toSource(range), preview });
  }
  return matches;
}

/**
 * Returns the finding of a match.
 * @param context - origin of the text
 * @param offsets - offsets from that text to the original one
 */
export function policyFinding(
  { rule, range, preview }: PolicyMatch,
  context: SafetyContext,
  offsets: OffsetMap,
): Finding {
  return findingOf(rule, context, offsets.toSource(range), preview);
}
