import { redactLeaks } from "../leaks/redaction.js";
import { BUILT_IN_RULES } from "../rules/built-in/rules.js";
import type { LeakRule, LogRule, SafetyRule } from "../rules/rule.js";
import type { Match } from "../rules/scanner.js";
import type { RuleSet } from "../rules/set.js";
import { applyEdits, underived } from "../text/derivation.js";
import type { Edit } from "../text/range.js";

export interface LogOptions {
  /** Rules in force; default the built-in ones. */
  readonly rules?: RuleSet | undefined;
}

/**
 * Removes secrets and personal data from a text that is written to a log (SAFE-055). The
 * replacement names the kind: `[REDACTED_EMAIL]`.
 * @returns the same string when it has none
 */
export function redactLogText(text: string, { rules = BUILT_IN_RULES }: LogOptions = {}): string {
  const matches = rules.logs()(text);
  const redacted =
    matches.length === 0 ? text : applyEdits(underived(text), labelled(matches, rules.rules)).text;
  return DISGUISE.test(redacted) ? redactLeaks(redacted, { context: "log", rules }).text : redacted;
}

/** Characters by which a text can hide a secret from a search: others than ASCII, entities, and escapes of URLs. */
const DISGUISE = /[^\t-\r -~]|&#?\w{2,8};|%[\da-f]{2}/i;

/** Joins overlapping matches, labelled by the rule that is first in order. */
function labelled(
  matches: readonly Match<LeakRule | LogRule>[],
  order: readonly SafetyRule[],
): Edit[] {
  const edits: { start: number; end: number; rule: LeakRule | LogRule }[] = [];
  for (const { subject, range } of matches) {
    const last = edits.at(-1);
    if (last === undefined || range[0] >= last.end) {
      edits.push({ start: range[0], end: range[1], rule: subject });
      continue;
    }
    last.end = Math.max(last.end, range[1]);
    if (order.indexOf(subject) < order.indexOf(last.rule)) last.rule = subject;
  }
  return edits.map(({ start, end, rule }) => ({
    range: [start, end],
    replacement: `[REDACTED_${rule.label}]`,
  }));
}
