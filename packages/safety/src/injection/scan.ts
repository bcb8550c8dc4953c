import type { SafetyContext } from "../rules/action.js";
import { BUILT_IN_RULES } from "../rules/built-in/rules.js";
import { type Finding, findingOf, limitFindings } from "../rules/finding.js";
import type { InjectionRule } from "../rules/rule.js";
import type { RuleSet } from "../rules/set.js";
import { isAtLeast } from "../rules/severity.js";
import { applyEdits, type DerivedText, underived } from "../text/derivation.js";
import { type OffsetMap, SAME_OFFSETS } from "../text/offset-map.js";
import type { Edit, Range } from "../text/range.js";
import { TextViews } from "../text/views.js";

/** Replacement for a text that would become empty (SAFE-011). */
const NOTHING = "\ufffd";

/** Origin of a text that an injection rule checks: a tool or a user. */
export type InjectionContext = Extract<SafetyContext, "output" | "input">;

export interface SanitizeOptions {
  /** Origin of the text; default `output`. */
  readonly context?: InjectionContext | undefined;
  /** Rules in force; default the built-in ones. */
  readonly rules?: RuleSet | undefined;
}

export interface Sanitized {
  /** Text with confirmed markers escaped; the same string when it has none. */
  readonly content: string;
  /** True when the text changed or a high or critical finding flags it (SAFE-007). */
  readonly modified: boolean;
  readonly findings: readonly Finding[];
}

/** Marker in a text, with its canonical wording. */
export interface InjectionMatch {
  readonly rule: InjectionRule;
  readonly marker: string;
  readonly range: Range;
}

/** Result of a scan of a text for injection. */
export interface InjectionScan {
  readonly matches: readonly InjectionMatch[];
  /** Escapes of the confirmed markers (SAFE-028), sorted and without overlaps. */
  readonly escapes: readonly Edit[];
}

/** Finds text that addresses the model, and escapes confirmed markers (SAFE-024 to SAFE-029). */
export function sanitizeText(
  text: string,
  { context = "output", rules = BUILT_IN_RULES }: SanitizeOptions = {},
): Sanitized {
  const { matches, escapes } = scanInjections(new TextViews(text), context, rules);
  const findings = matches.map((match) => injectionFinding(match, context, SAME_OFFSETS));
  return {
    content: applyEdits(underived(text), escapes).text,
    modified: matches.some(isFlagging),
    findings: limitFindings(findings),
  };
}

/**
 * Finds text that addresses the model.
 * @param context - origin of the text
 * @param rules - rules in force
 */
export function scanInjections(
  { text, shadow }: TextViews,
  context: InjectionContext,
  rules: RuleSet,
): InjectionScan {
  const matches: InjectionMatch[] = [];
  const edits: Edit[] = [];
  const collect = (view: DerivedText, rule: InjectionRule, range: Range) => {
    matches.push(...matchesOf(view, rule, range));
    edits.push(...escapesOf(view, rule, range));
  };
  const written = underived(text);
  for (const { subject, range } of rules.hidden(context)(text)) collect(written, subject, range);
  for (const { subject, range } of rules.injections(context)(shadow.text)) {
    collect(shadow, subject, range);
  }
  matches.sort((a, b) => a.range[0] - b.range[0]);
  return { matches, escapes: withoutOverlap(edits) };
}

/**
 * Returns true when the wrapper warns the model of a match: wording of severity high or critical
 * (SAFE-007).
 */
export function isFlagging({ rule }: InjectionMatch): boolean {
  return isAtLeast(rule.severity, "high");
}

/** Returns true when a match is one of the confirmed markers of SAFE-026. */
export function isConfirmed({ rule }: InjectionMatch): boolean {
  return rule.escape !== undefined && rule.escape !== "remove";
}

/**
 * Returns the finding of a match.
 * @param context - origin of the text
 * @param offsets - offsets from that text to the original one
 */
export function injectionFinding(
  { rule, marker, range }: InjectionMatch,
  context: InjectionContext,
  offsets: OffsetMap,
): Finding {
  return findingOf(rule, context, offsets.toSource(range), marker);
}

/** Splits a complete chat token into its two halves. */
function matchesOf(view: DerivedText, rule: InjectionRule, [start, end]: Range): InjectionMatch[] {
  const match = (marker: string, range: Range): InjectionMatch => ({
    rule,
    marker,
    range: view.offsets.toSource(range),
  });
  if (rule.escape !== "token") return [match(rule.marker, [start, end])];
  return [match("<|", [start, start + 2]), match("|>", [end - 2, end])];
}

function escapesOf(view: DerivedText, rule: InjectionRule, [start, end]: Range): Edit[] {
  const before = (offset: number): Edit => {
    const [place] = view.offsets.toSource([offset, offset + 1]);
    return { range: [place, place], replacement: "\\" };
  };
  switch (rule.escape) {
    case "token":
      return [before(start), before(end - 1)];
    case "backslash":
      return [before(start)];
    case "role":
      return [
        {
          range: view.offsets.toSource([start, end]),
          replacement: `[ESCAPED:${rule.marker.slice(0, -1)}]:`,
        },
      ];
    case "remove":
      return [
        { range: [start, end], replacement: end - start === view.text.length ? NOTHING : "" },
      ];
    default:
      return [];
  }
}

/** Removes edits inside an earlier one, which would have nothing left to change. */
function withoutOverlap(edits: readonly Edit[]): Edit[] {
  let end = 0;
  return edits
    .toSorted((a, b) => a.range[0] - b.range[0])
    .filter(({ range }) => {
      const isFree = range[0] >= end;
      if (isFree) end = range[1];
      return isFree;
    });
}
