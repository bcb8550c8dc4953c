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
  /** Where the text stands. Default `params`, the strictest. */
  readonly context?: SafetyContext | undefined;
  /** The rules in force; default the built-in ones. */
  readonly rules?: RuleSet | undefined;
}

export interface PolicyScan {
  /** The strongest action among the findings; `allow` when there are none. */
  readonly action: SafetyAction;
  /** Whether that action is to refuse the text. */
  readonly blocked: boolean;
  readonly findings: readonly Finding[];
}

/** A match of a policy rule, with as much of it as may be shown. */
export interface PolicyMatch {
  readonly rule: PolicyRule;
  readonly range: Range;
  readonly preview: string;
}

/**
 * Applies the policy rules to a text (SAFE-037 to SAFE-042).
 * @param text - any string
 */
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
 * The matches of the policy rules, on the shadow copy of a text; of equal ones of a rule as many as are listed.
 * @param views - of the text
 * @param context - where it stands
 * @param rules - the rules in force
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
 * The finding of a match.
 * @param match - in some text
 * @param context - where the text stands
 * @param offsets - from that text to the one that was given
 */
export function policyFinding(
  { rule, range, preview }: PolicyMatch,
  context: SafetyContext,
  offsets: OffsetMap,
): Finding {
  return findingOf(rule, context, offsets.toSource(range), preview);
}
