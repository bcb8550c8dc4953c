import { type SafetyAction, type SafetyContext, strongestAction } from "../rules/action.js";
import { BUILT_IN_RULES } from "../rules/built-in/rules.js";
import { type Finding, limitFindings } from "../rules/finding.js";
import type { RuleSet } from "../rules/set.js";
import { applyEdits, type DerivedText, underived } from "../text/derivation.js";
import { type Edit, mergeRanges, type Range } from "../text/range.js";
import { TextViews } from "../text/views.js";
import { findLeaks, type LeakMatch, type LeakOptions, type LeakScan, leakFinding } from "./scan.js";

/** Replacement for a secret. */
export const REDACTED = "[REDACTED]";

/**
 * Maximum number of scans: a replacement can uncover another secret, and further scans rarely find
 * one.
 */
export const MOST_LOOKS = 4;

export interface LeakRedaction extends LeakScan {
  /** Text with every secret replaced by `[REDACTED]`; the same string when it has none. */
  readonly text: string;
}

/**
 * Replaces the secrets of a text whose action in the context is redact or block (SAFE-005).
 * @param options - context and rules, as for `scanLeaks`
 */
export function redactLeaks(
  text: string,
  { context = "network", rules = BUILT_IN_RULES }: LeakOptions = {},
): LeakRedaction {
  const first = findLeaks(new TextViews(text), context, rules);
  const { revised, findings } = redactMatches(underived(text), first, context, rules);
  return {
    text: revised.text,
    action: strongestAction(findings.map(({ action }) => action)),
    findings: limitFindings(findings),
  };
}

/** Text without its secrets. */
interface Redaction {
  readonly revised: DerivedText;
  /** Findings of all matches, including those that were only recorded. */
  readonly findings: readonly Finding[];
  readonly replaced: readonly LeakMatch[];
}

/**
 * Replaces matches, and scans again until none is left: a replacement can uncover a secret that was
 * joined to the end of another one.
 * @param from - text in which they were found
 * @param first - matches in `from`; matches that only warn remain
 */
export function redactMatches(
  from: DerivedText,
  first: readonly LeakMatch[],
  context: SafetyContext,
  rules: RuleSet,
): Redaction {
  const findings = first.map((match) => leakFinding(match, context, from.offsets));
  const replaced: LeakMatch[] = [];
  let revised = from;
  let secrets = secretsOf(first, context, from.text);
  for (let look = 0; look < MOST_LOOKS && secrets.length > 0; look += 1) {
    replaced.push(...secrets);
    revised = applyEdits(revised, redactions(secrets.map(({ range }) => range)));
    secrets = secretsOf(
      findLeaks(new TextViews(revised.text), context, rules),
      context,
      revised.text,
    );
    findings.push(...secrets.map((match) => leakFinding(match, context, revised.offsets)));
  }
  return { revised, findings, replaced };
}

/**
 * Returns a text with ranges replaced by `[REDACTED]`; overlapping ranges become one (SAFE-005).
 * @param ranges - ranges of the text, in any order
 */
export function redactRanges(text: string, ranges: readonly Range[]): string {
  return applyEdits(underived(text), redactions(ranges)).text;
}

/** Returns the edits that redact a set of ranges. */
export function redactions(ranges: readonly Range[]): Edit[] {
  return mergeRanges(ranges).map((range) => ({ range, replacement: REDACTED }));
}

/** A rule that matches within the replacement itself would never be satisfied. */
function secretsOf(
  matches: readonly LeakMatch[],
  context: SafetyContext,
  text: string,
): LeakMatch[] {
  return matches.filter(
    ({ rule, range }) =>
      isSecretAction(rule.actions[context]) && !REDACTED.includes(text.slice(...range)),
  );
}

/** Returns whether an action removes a secret from a text. */
export function isSecretAction(action: SafetyAction): boolean {
  return action === "redact" || action === "block";
}
