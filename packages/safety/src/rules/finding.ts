import type { Range } from "../text/range.js";
import type { SafetyAction, SafetyContext } from "./action.js";
import type { TextRule } from "./rule.js";
import type { Severity } from "./severity.js";

/** Match of one rule at one position. It contains only a masked preview of the text. */
export interface Finding {
  /** ID of the rule, which is also its heading in the reference. */
  readonly rule: string;
  readonly kind: TextRule["kind"];
  readonly severity: Severity;
  readonly action: SafetyAction;
  /** Position in the original text, in UTF-16 code units; the end is exclusive. */
  readonly range: Range;
  /** First four characters and stars; for wording that is not a secret, the wording. */
  readonly preview: string;
}

/**
 * Returns the finding of a rule.
 * @param rule - rule that matched
 * @param context - origin of the text
 * @param range - range in the original text
 * @param preview - masked text of the match
 */
export function findingOf(
  { id, kind, severity, actions }: TextRule,
  context: SafetyContext,
  range: Range,
  preview: string,
): Finding {
  return { rule: id, kind, severity, action: actions[context], range, preview };
}

/**
 * Maximum number of listed findings per rule and preview; further ones have their effect but are
 * not listed.
 */
export const MOST_FINDINGS = 100;

/** Keeps the first hundred findings of every rule and preview, in their order. */
export function limitFindings(findings: readonly Finding[]): Finding[] {
  const counts = new Map<string, number>();
  return findings.filter(({ rule, preview }) => {
    const key = `${rule} ${preview}`;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count <= MOST_FINDINGS;
  });
}
