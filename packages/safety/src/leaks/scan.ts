import { type SafetyAction, type SafetyContext, strongestAction } from "../rules/action.js";
import { isRestOfKey } from "../rules/broken-word.js";
import { BUILT_IN_RULES } from "../rules/built-in/rules.js";
import { type Finding, findingOf, limitFindings } from "../rules/finding.js";
import type { LeakRule } from "../rules/rule.js";
import type { RuleSet } from "../rules/set.js";
import { type DerivedText, underived } from "../text/derivation.js";
import { maskSecret } from "../text/mask.js";
import { type OffsetMap, SAME_OFFSETS } from "../text/offset-map.js";
import type { Range } from "../text/range.js";
import { TextViews } from "../text/views.js";

export interface LeakOptions {
  /** Origin of the text, which decides the action of every rule; default `network`, the strictest. */
  readonly context?: SafetyContext | undefined;
  /** Rules in force; default the built-in ones. */
  readonly rules?: RuleSet | undefined;
}

export interface LeakScan {
  /** Strongest action among the findings; `allow` without findings (SAFE-021). */
  readonly action: SafetyAction;
  /** Findings in the order of their start; at most a hundred of each rule and preview. */
  readonly findings: readonly Finding[];
}

/** Secret in a text, with a masked preview. */
export interface LeakMatch {
  readonly rule: LeakRule;
  readonly range: Range;
  readonly preview: string;
  /** True when it was found in encoded characters. */
  readonly isEncoded?: true;
}

/**
 * Finds secrets in a text: as written, without disguises and marks, percent-decoded, and inside
 * base64 and hexadecimal digits (SAFE-014 to SAFE-021, SAFE-300).
 */
export function scanLeaks(
  text: string,
  { context = "network", rules = BUILT_IN_RULES }: LeakOptions = {},
): LeakScan {
  const matches = findLeaks(new TextViews(text), context, rules);
  return {
    action: strongestAction(matches.map(({ rule }) => rule.actions[context])),
    findings: limitFindings(matches.map((match) => leakFinding(match, context, SAME_OFFSETS))),
  };
}

/**
 * Returns the secrets of a text in the order of their start; a secret that several views show
 * counts once.
 * @param context - origin of the text
 * @param rules - rules in force
 */
export function findLeaks(views: TextViews, context: SafetyContext, rules: RuleSet): LeakMatch[] {
  const { text, shadow, decoded, plain } = views;
  const scan = rules.leaks(context);
  const matches: LeakMatch[] = [];
  for (const view of distinctViews(underived(text), shadow, decoded, plain)) {
    for (const { subject, range } of scan(view.text)) matches.push(matchIn(view, subject, range));
  }
  const written = matches.length;
  rules.encoded(context)(shadow.text, (content, sourceOf) => {
    for (const { subject, range } of scan(content)) {
      const found = subject.detector.by === "anchor" ? sourceOf(range) : undefined;
      if (found === undefined) continue;
      const source = shadow.offsets.toSource(found);
      if (isCompleteBefore(text, matches.slice(0, written), source)) continue;
      const preview = maskSecret(content.slice(...range));
      matches.push({ rule: subject, range: source, preview, isEncoded: true });
    }
  });
  return matches.length === 0 ? matches : distinctMatches(matches);
}

/**
 * Returns the finding of a match.
 * @param context - origin of the text
 * @param offsets - offsets from that text to the original one
 */
export function leakFinding(
  { rule, range, preview }: LeakMatch,
  context: SafetyContext,
  offsets: OffsetMap,
): Finding {
  return findingOf(rule, context, offsets.toSource(range), preview);
}

function distinctViews(...views: readonly DerivedText[]): DerivedText[] {
  return views.filter((view, index) => view.text !== views[index - 1]?.text);
}

function matchIn(view: DerivedText, rule: LeakRule, range: Range): LeakMatch {
  const preview = maskSecret(view.text.slice(...range));
  return { rule, range: view.offsets.toSource(range), preview };
}

/** Returns whether a secret ends before the line break within a range, so that the rest is another word. */
function isCompleteBefore(
  text: string,
  matches: readonly LeakMatch[],
  [start, end]: Range,
): boolean {
  return matches.some(
    ({ range }) =>
      range[0] === start &&
      range[1] < end &&
      (!isRestOfKey(text.slice(range[1], end)) ||
        matches.some((other) => other.range[0] > range[1] && other.range[0] < end)),
  );
}

/** Removes matches inside an earlier one of the same rule. */
function distinctMatches(matches: readonly LeakMatch[]): LeakMatch[] {
  const ends = new Map<LeakRule, number>();
  const byStart = matches.toSorted((a, b) => a.range[0] - b.range[0] || b.range[1] - a.range[1]);
  return byStart.filter(({ rule, range }) => {
    const isNew = range[1] > (ends.get(rule) ?? 0);
    if (isNew) ends.set(rule, range[1]);
    return isNew;
  });
}
