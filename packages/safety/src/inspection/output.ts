import { injectionFinding, isConfirmed, isFlagging, scanInjections } from "../injection/scan.js";
import {
  cutWarning,
  injectionWarning,
  leakWarning,
  policyWarning,
  type SafetyWarning,
  withoutRepeats,
} from "../injection/warning.js";
import {
  isSecretAction,
  MOST_LOOKS,
  REDACTED,
  redactions,
  redactMatches,
} from "../leaks/redaction.js";
import { findLeaks, leakFinding } from "../leaks/scan.js";
import { BUILT_IN_RULES } from "../rules/built-in/rules.js";
import { type Finding, findingOf, limitFindings } from "../rules/finding.js";
import type { RuleSet } from "../rules/set.js";
import { applyEdits, type DerivedText, underived } from "../text/derivation.js";
import { SAME_OFFSETS } from "../text/offset-map.js";
import { cutToLength, LEAST_OUTPUT_LENGTH } from "../text/output-length.js";
import { TextViews } from "../text/views.js";
import { findPolicyMatches, type PolicyMatch, policyFinding } from "./policy-scan.js";
import { WITHHELD_OUTPUT } from "./withheld-output.js";

/** Replacement for an output with a private key (SAFE-006). */
const BLOCKED_FOR_LEAK = "[Output blocked due to potential secret leakage]";
/** Replacement for an output that could not be checked (SAFE-012). */
const BLOCKED_UNCHECKED = "[Output blocked because the safety check failed]";

const REPLACEMENTS = {
  leak: BLOCKED_FOR_LEAK,
  injection: WITHHELD_OUTPUT,
  policy: WITHHELD_OUTPUT,
  failure: BLOCKED_UNCHECKED,
} as const;
const DEFAULT_MAXIMUM = 100_000;

export interface OutputOptions {
  /** Maximum number of UTF-8 bytes of an output, at least 256; default 100 000 (SAFE-002). */
  readonly maxLength?: number | undefined;
  /** Part of a longer output that remains: its head and a notice (default), or the notice alone. */
  readonly overflow?: "head" | "notice" | undefined;
  /** False omits injection findings of medium and low severity (SAFE-008). */
  readonly injectionCheck?: boolean | undefined;
  /**
   * Handling of an output with a confirmed marker: escape the marker (default), or replace the
   * output (SAFE-028).
   */
  readonly injection?: "escape" | "replace" | undefined;
  /** Rules in force; default the built-in ones. */
  readonly rules?: RuleSet | undefined;
}

/** Reason why an output was replaced as a whole. */
export interface OutputBlock {
  readonly stage: "leak" | "injection" | "policy" | "failure";
  /** ID of the rule, unless the check itself failed. */
  readonly rule?: string | undefined;
  readonly reason: string;
}

export interface OutputInspection {
  /** Content that the model may receive. */
  readonly content: string;
  /** True when the content changed, or is flagged so that the wrapper warns of it (SAFE-007). */
  readonly modified: boolean;
  readonly blocked?: OutputBlock | undefined;
  /** True when a rule requires a person's approval (SAFE-010). */
  readonly needsReview: boolean;
  /** Warnings for the wrapper that the model receives, one line each (SAFE-033). */
  readonly warnings: readonly SafetyWarning[];
  /** All findings, including those that changed nothing, with ranges in the original text. */
  readonly findings: readonly Finding[];
}

/**
 * Makes a tool's output safe for the model: cuts it, redacts secrets, escapes forged messages, and
 * returns the findings (SAFE-001 to SAFE-012). Never throws because of the text; an output that
 * cannot be checked is blocked.
 * @param text - complete output
 * @throws RangeError when `maxLength` is not an integer of at least 256
 */
export function inspectOutput(text: string, options: OutputOptions = {}): OutputInspection {
  const settings = settle(options);
  try {
    return inspect(text, settings);
  } catch (error) {
    return {
      content: BLOCKED_UNCHECKED,
      modified: true,
      blocked: { stage: "failure", reason: `the safety check failed: ${String(error)}` },
      needsReview: false,
      warnings: [],
      findings: [],
    };
  }
}

type Settings = {
  readonly [Name in keyof OutputOptions]-?: NonNullable<OutputOptions[Name]>;
};

function settle({
  maxLength = DEFAULT_MAXIMUM,
  overflow = "head",
  injectionCheck = true,
  injection = "escape",
  rules = BUILT_IN_RULES,
}: OutputOptions): Settings {
  if (!Number.isInteger(maxLength) || maxLength < LEAST_OUTPUT_LENGTH) {
    throw new RangeError(
      `maxLength of an output is ${maxLength}; expected an integer of at least ${LEAST_OUTPUT_LENGTH}`,
    );
  }
  return { maxLength, overflow, injectionCheck, injection, rules };
}

function inspect(text: string, settings: Settings): OutputInspection {
  const cut = cutToLength(text, settings.maxLength);
  const inspection = new Inspection(cut?.head ?? text, settings);
  if (cut !== undefined) {
    inspection.warn(cutWarning(cut.notice));
    if (settings.overflow === "notice") return inspection.end(cut.notice);
  }
  const block =
    inspection.redact(cut?.reach ?? text) ??
    // What follows the cut may have hidden a secret that ends at it.
    (cut === undefined ? undefined : inspection.redact(inspection.text)) ??
    inspection.sanitize() ??
    inspection.validate() ??
    inspection.applyPolicy() ??
    // A secret that the policy replaced can have stood between the parts of a forged message.
    inspection.sanitize();
  if (block !== undefined) return inspection.end(REPLACEMENTS[block.stage], block);
  const content = cut === undefined ? inspection.text : `${inspection.text}\n${cut.notice}`;
  return inspection.end(shortened(content, cut?.notice, settings));
}

/** Cuts a text that outgrew the maximum through escapes, and inspects it once more. */
function shortened(content: string, notice: string | undefined, settings: Settings): string {
  const cut = cutToLength(content, settings.maxLength);
  if (cut === undefined) return content;
  return inspect(`${cut.head}\n${notice ?? cut.notice}`, settings).content;
}

/** Inspection of one text; each stage processes the result of the previous one (SAFE-001). */
class Inspection {
  readonly #source: string;
  readonly #settings: Settings;
  readonly #findings: Finding[] = [];
  readonly #warnings: SafetyWarning[] = [];
  #current: DerivedText;
  #views: TextViews;
  #flagged = false;
  #needsReview = false;
  /** Text without forged messages; undefined before the first look for them. */
  #sanitized: string | undefined;

  constructor(text: string, settings: Settings) {
    this.#source = text;
    this.#settings = settings;
    this.#current = underived(text);
    this.#views = new TextViews(text);
  }

  get text(): string {
    return this.#current.text;
  }

  warn(warning: SafetyWarning): void {
    this.#flagged = true;
    this.#warnings.push(warning);
  }

  /** @param reach - text and the characters after the cut, in which a secret may end */
  redact(reach: string): OutputBlock | undefined {
    const { rules } = this.#settings;
    const { length } = this.text;
    const matches = findLeaks(
      reach === this.text ? this.#views : new TextViews(reach),
      "output",
      rules,
    )
      .filter(({ range }) => range[0] < length)
      .map((match) => ({
        ...match,
        range: [match.range[0], Math.min(match.range[1], length)] as const,
      }));
    const blocking = matches.find(({ rule }) => rule.actions.output === "block");
    if (blocking !== undefined) {
      this.#findings.push(...matches.map((match) => leakFinding(match, "output", SAME_OFFSETS)));
      return { stage: "leak", rule: blocking.rule.id, reason: blocking.rule.reason };
    }
    const { revised, replaced, findings } = redactMatches(this.#current, matches, "output", rules);
    this.#become(revised);
    this.#findings.push(...findings);
    for (const { rule } of replaced) this.warn(leakWarning(rule));
    return undefined;
  }

  sanitize(): OutputBlock | undefined {
    if (this.#sanitized === this.text) return undefined;
    const { rules, injection, injectionCheck } = this.#settings;
    const known = new Set(this.#findings.map(placeOf));
    const { matches, escapes } = scanInjections(this.#views, "output", rules);
    const { offsets } = this.#current;
    for (const match of matches) {
      if (isFlagging(match)) this.warn(injectionWarning(match));
      else if (!injectionCheck) continue;
      const finding = injectionFinding(match, "output", offsets);
      if (!known.has(placeOf(finding))) this.#findings.push(finding);
    }
    const confirmed = matches.find(isConfirmed);
    if (injection === "replace" && confirmed !== undefined) {
      return { stage: "injection", rule: confirmed.rule.id, reason: confirmed.rule.reason };
    }
    this.#become(applyEdits(this.#current, escapes));
    this.#sanitized = this.text;
    return undefined;
  }

  /** Collects warnings of the validator, which never blocks an output (SAFE-009). */
  validate(): undefined {
    const { offsets } = this.#current;
    for (const { subject, range } of this.#settings.rules.validations("output")(this.text)) {
      this.#findings.push(findingOf(subject, "output", offsets.toSource(range), subject.title));
    }
  }

  applyPolicy(): OutputBlock | undefined {
    let matches = findPolicyMatches(this.#views, "output", this.#settings.rules);
    for (const { rule } of matches) {
      const action = rule.actions.output;
      if (action === "review") this.#needsReview = true;
      if (action !== "warn") this.warn(policyWarning(rule));
    }
    this.#recordPolicy(matches);
    const blocking = matches.find(({ rule }) => rule.actions.output === "block");
    if (blocking !== undefined) {
      return { stage: "policy", rule: blocking.rule.id, reason: blocking.rule.reason };
    }
    for (let look = 0; look < MOST_LOOKS; look += 1) {
      const ranges = matches.filter(isRedacted(this.text)).map(({ range }) => range);
      if (ranges.length === 0) break;
      this.#become(applyEdits(this.#current, redactions(ranges)));
      this.#redactUncovered();
      matches = findPolicyMatches(this.#views, "output", this.#settings.rules);
      this.#recordPolicy(matches.filter(isRedacted(this.text)));
    }
    return undefined;
  }

  /** Redacts secrets that became visible because the text next to them was replaced. */
  #redactUncovered(): void {
    const { rules } = this.#settings;
    const secrets = findLeaks(this.#views, "output", rules).filter(
      ({ rule, range }) =>
        isSecretAction(rule.actions.output) && !REDACTED.includes(this.text.slice(...range)),
    );
    if (secrets.length === 0) return;
    const { revised, replaced, findings } = redactMatches(this.#current, secrets, "output", rules);
    this.#become(revised);
    this.#findings.push(...findings);
    for (const { rule } of replaced) this.warn(leakWarning(rule));
  }

  #recordPolicy(matches: readonly PolicyMatch[]): void {
    const { offsets } = this.#current;
    this.#findings.push(...matches.map((match) => policyFinding(match, "output", offsets)));
  }

  #become(revised: DerivedText): void {
    if (revised === this.#current) return;
    this.#current = revised;
    this.#views = new TextViews(revised.text);
  }

  end(content: string, blocked?: OutputBlock): OutputInspection {
    return {
      content,
      modified: this.#flagged || content !== this.#source,
      blocked,
      needsReview: this.#needsReview,
      warnings: withoutRepeats(this.#warnings),
      findings: limitFindings(this.#findings),
    };
  }
}

function placeOf({ rule, range }: Finding): string {
  return `${rule} ${range.join("-")}`;
}

/** Returns whether a policy match must be redacted; text that is already redacted is skipped. */
function isRedacted(text: string): (match: PolicyMatch) => boolean {
  return ({ rule, range }) =>
    rule.actions.output === "redact" && !REDACTED.includes(text.slice(...range));
}
