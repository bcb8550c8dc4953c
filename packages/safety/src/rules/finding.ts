import type { Range } from "../text/range.js";
import type { SafetyAction, SafetyContext } from "./action.js";
import type { TextRule } from "./rule.js";
import type { Severity } from "./severity.js";

/** What one rule found at one place. It never holds the text itself, only a masked preview. */
export interface Finding {
  /** Id of the rule; its page in the reference has the same name. */
  readonly rule: string;
  readonly kind: TextRule["kind"];
  readonly severity: Severity;
  readonly action: SafetyAction;
  /** Where it stands in the text that was given, in UTF-16 code units; the end is exclusive. */
  readonly range: Range;
  /** The first four characters and stars; for wording that is no secret, the wording. */
  readonly preview: string;
}

/**
 * The finding of a rule.
 * @param rule - what matched
 * @param context - where the text stands
 * @param range - in the text that was given
 * @param preview - what may be shown of it
 */
export function findingOf(
  { id, kind, severity, actions }: TextRule,
  context: SafetyContext,
  range: Range,
  preview: string,
): Finding {
  return { rule: id, kind, severity, action: actions[context], range, preview };
}

/** Findings of one rule that are listed; further ones are acted on but not listed. */
export const MOST_FINDINGS = 100;

/** Leaves the first hundred findings of every rule and kind of preview, in their order. */
export function limitFindings(findings: readonly Finding[]): Finding[] {
  const counts = new Map<string, number>();
  return findings.filter(({ rule, preview }) => {
    const key = `${rule} ${preview}`;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count <= MOST_FINDINGS;
  });
}
