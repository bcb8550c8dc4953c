import type { SafetyContext } from "../rules/action.js";
import { privateKeyFooter } from "../rules/built-in/private-keys.js";
import { BUILT_IN_RULES } from "../rules/built-in/rules.js";
import { type Finding, findingOf, limitFindings } from "../rules/finding.js";
import type { RuleSet } from "../rules/set.js";
import { type DerivedText, underived } from "../text/derivation.js";
import { mergeRanges } from "../text/range.js";
import { shadowText } from "../text/shadow.js";
import { isWordUnit, type UnsettledTail, unsettledTail } from "../text/unsettled-tail.js";
import { TextViews } from "../text/views.js";
import { isSecretAction, REDACTED, redactMatches, redactRanges } from "./redaction.js";

import { findLeaks, type LeakMatch, type LeakOptions } from "./scan.js";

/**
 * Maximum length of a word that is kept; of a longer one only the end is kept, so that memory stays
 * bounded.
 */
const LONGEST_HELD = 4096;
const KEPT_OF_LONG = 1024;

/** Removes secrets from a text that arrives in chunks (TURN-028). */
export interface LeakGuard {
  /**
   * Adds a chunk and returns the text that is safe to show: all of it except a possible beginning
   * of a secret.
   */
  push(delta: string): string;
  /** Ends the text and returns the rest of it; the guard can then be used for another text. */
  flush(): string;
  /** Findings so far, with ranges in the concatenated text. */
  readonly findings: readonly Finding[];
}

/**
 * Creates a guard for one stream. The concatenated return values equal the result of `redactLeaks`
 * for the complete text, however the stream was split. The exception are words of more than 4096
 * characters, whose parts are evaluated separately.
 *
 * The complete text is delayed until `flush` when a rule that was added redacts or blocks it,
 * because its pattern can match any part of the text.
 * @param options - context (default `output`) and rules
 */
export function createLeakGuard({
  context = "output",
  rules = BUILT_IN_RULES,
}: LeakOptions = {}): LeakGuard {
  return new StreamGuard(context, rules);
}

/**
 * Text that is skipped until its end: a private key until its footer, a secret until the end of the
 * word.
 */
type Skipping =
  | { readonly until: "footer"; readonly footer: string }
  | { readonly until: "word end" };

class StreamGuard implements LeakGuard {
  readonly #context: SafetyContext;
  readonly #rules: RuleSet;
  #findings: Finding[] = [];
  #held = "";
  /** Offset of the buffered text in the concatenated text. */
  #position = 0;
  #skipping: Skipping | undefined;
  /** True when a match can be anywhere in the text, so that only its end settles it. */
  readonly #isUnbounded: boolean;
  /** True when nothing is shown until the end of the text. */
  #delaying: boolean;

  constructor(context: SafetyContext, rules: RuleSet) {
    this.#context = context;
    this.#rules = rules;
    this.#isUnbounded = rules.rules.some(
      (rule) =>
        rule.kind === "leak" &&
        rule.detector.by === "search" &&
        isSecretAction(rule.actions[context]),
    );
    this.#delaying = this.#isUnbounded;
  }

  get findings(): readonly Finding[] {
    return limitFindings(this.#findings);
  }

  push(delta: string): string {
    this.#held += delta;
    if (this.#delaying) return "";
    this.#skip();
    return this.#skipping === undefined ? this.#settle() : "";
  }

  flush(): string {
    const rest = this.#skipping === undefined ? this.#take(this.#held.length) : "";
    this.#held = "";
    this.#position = 0;
    this.#skipping = undefined;
    this.#delaying = this.#isUnbounded;
    return rest;
  }

  /** Returns the text that cannot become part of a secret. */
  #settle(): string {
    const views = new TextViews(this.#held);
    const found = findLeaks(views, this.#context, this.#rules);
    const matches = found.filter(({ rule }) => isSecretAction(rule.actions[this.#context]));
    const first = unsettledTail(
      views,
      matches.map(({ range }) => range),
    );
    const openKey = matches.find((match) => match.range[0] < first.from && this.#isOpenKey(match));
    if (openKey !== undefined) return this.#enterKey(openKey, matches);
    // The words before a secret on its line can be what it is recognised by.
    const lineOf = (start: number) => this.#held.lastIndexOf("\n", start - 1) + 1;
    // Some secrets are found only once another one is replaced, such as the second password of a command.
    const redacted = redactMatches(underived(this.#held), found, this.#context, this.#rules);
    const { findings } = redacted;
    const { from, severalWords } = earlier(first, unsettledIn(redacted.revised));
    const ranges = matches.map(({ range }) => range);
    const settled = beforeRanges(from, ranges, lineOf);
    const isLong = this.#held.length - from > LONGEST_HELD;
    if (!isLong || severalWords) {
      this.#delaying = isLong;
      return this.#take(settled, findings);
    }
    const last = matches.find(({ range }) => range[1] === this.#held.length);
    if (last === undefined) {
      const end = this.#held.length - KEPT_OF_LONG;
      return this.#take(
        beforeRanges(
          end,
          matches.map(({ range }) => range),
          (start) => start,
        ),
      );
    }
    const shown = this.#replaceFrom(last, matches, this.#held.length);
    this.#skipping = { until: "word end" };
    return shown;
  }

  #isOpenKey({ rule, range }: LeakMatch): boolean {
    return (
      rule.label === "PRIVATE_KEY" &&
      range[1] === this.#held.length &&
      !this.#held.endsWith("-----")
    );
  }

  #enterKey(key: LeakMatch, matches: readonly LeakMatch[]): string {
    const footer = privateKeyFooter(shadowText(this.#held.slice(key.range[0])).text);
    const shown = this.#replaceFrom(key, matches, key.range[0]);
    this.#skipping = { until: "footer", footer };
    this.#skip();
    return shown;
  }

  /**
   * Returns the text before a match and its replacement, and drops the text up to an offset.
   * Secrets that overlap the match are part of the same replacement.
   */
  #replaceFrom(match: LeakMatch, matches: readonly LeakMatch[], end: number): string {
    const merged = mergeRanges(matches.map(({ range }) => range));
    const start = merged.findLast(([from]) => from <= match.range[0])?.[0] ?? match.range[0];
    const before = this.#take(start);
    for (const { rule, range, preview } of matches) {
      if (range[0] < start || range[0] > match.range[0]) continue;
      const found = [this.#position + range[0] - start, this.#position + range[1] - start] as const;
      this.#findings.push(findingOf(rule, this.#context, found, preview));
    }
    this.#drop(end - start);
    return before + REDACTED;
  }

  #skip(): void {
    if (this.#skipping === undefined) return;
    if (this.#skipping.until === "footer") {
      const { footer } = this.#skipping;
      const found = this.#held.indexOf(footer);
      this.#drop(
        found === -1 ? Math.max(0, this.#held.length - footer.length) : found + footer.length,
      );
      if (found !== -1) this.#skipping = undefined;
      return;
    }
    let end = 0;
    while (end < this.#held.length && isWordUnit(this.#held.charCodeAt(end))) end += 1;
    this.#drop(end);
    if (this.#held !== "") this.#skipping = undefined;
  }

  /**
   * Drops the text up to an offset and returns it without secrets.
   * @param length - offset that is not inside a finding
   * @param known - findings in the buffered text, if it was searched; what follows the offset can
   * decide whether a value before it is a secret
   */
  #take(length: number, known?: readonly Finding[]): string {
    const text = this.#held.slice(0, length);
    const found = known ?? this.#findingsIn(text);
    const findings = found.filter(({ range }) => range[1] <= length);
    for (const finding of findings) {
      const [start, end] = finding.range;
      this.#findings.push({ ...finding, range: [this.#position + start, this.#position + end] });
    }
    this.#findings = limitFindings(this.#findings);
    this.#drop(length);
    return redactRanges(text, secretRanges(findings, text));
  }

  #findingsIn(text: string): readonly Finding[] {
    const found = findLeaks(new TextViews(text), this.#context, this.#rules);
    return redactMatches(underived(text), found, this.#context, this.#rules).findings;
  }

  #drop(length: number): void {
    this.#held = this.#held.slice(length);
    this.#position += length;
  }
}

/**
 * Returns an offset that is not inside a range: the given one, or the one that belongs to the start of the range
 * that contains it.
 * @param contextOf - returns the offset for the start of a range
 */
function beforeRanges(
  offset: number,
  ranges: readonly (readonly [number, number])[],
  contextOf: (start: number) => number,
): number {
  return ranges
    .toSorted(([one], [other]) => other - one)
    .reduce(
      (before, [start, end]) => (start <= before && end > before ? contextOf(start) : before),
      offset,
    );
}

/**
 * Returns the end of a redacted text that could still become a secret, with its offset in the source: a replaced
 * secret that spanned a line break joins a command before it with the options after it.
 */
function unsettledIn({ text, offsets }: DerivedText): UnsettledTail {
  const { from, severalWords } = unsettledTail(new TextViews(text), []);
  return from === text.length
    ? { from: Number.POSITIVE_INFINITY, severalWords }
    : { from: offsets.toSource([from, text.length])[0], severalWords };
}

function earlier(one: UnsettledTail, other: UnsettledTail): UnsettledTail {
  return other.from < one.from ? { ...other, severalWords: true } : one;
}

/** Returns the ranges of findings that are replaced; the replacement itself is not a secret. */
function secretRanges(findings: readonly Finding[], text: string) {
  return findings
    .filter(
      ({ action, range }) => isSecretAction(action) && !REDACTED.includes(text.slice(...range)),
    )
    .map(({ range }) => range);
}
