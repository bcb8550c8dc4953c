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

/** What stands in the place of an output with a private key (SAFE-006). */
const BLOCKED_FOR_LEAK = "[Output blocked due to potential secret leakage]";
/** Replaces an output that a policy or an approver denies (SAFE-010, SAFE-028). */
export const WITHHELD_OUTPUT = "[Output blocked by safety policy]";
/** What stands in the place of an output that could not be checked (SAFE-012). */
const BLOCKED_UNCHECKED = "[Output blocked because the safety check failed]";

const REPLACEMENTS = {
  leak: BLOCKED_FOR_LEAK,
  injection: WITHHELD_OUTPUT,
  policy: WITHHELD_OUTPUT,
  failure: BLOCKED_UNCHECKED,
} as const;
const DEFAULT_MAXIMUM = 100_000;

export interface OutputOptions {
  /** Most UTF-8 bytes of an output, at least 256; default 100 000 (SAFE-002). */
  readonly maxLength?: number | undefined;
  /** What is left of a longer output: its head and a notice (default), or the notice alone. */
  readonly overflow?: "head" | "notice" | undefined;
  /** False leaves out findings of medium and low severity about injection (SAFE-008). */
  readonly injectionCheck?: boolean | undefined;
  /** What becomes of an output with a confirmed marker: it is escaped (default) or replaced (SAFE-028). */
  readonly injection?: "escape" | "replace" | undefined;
  /** The rules in force; default the built-in ones. */
  readonly rules?: RuleSet | undefined;
}

/** Why an output was replaced as a whole. */
export interface OutputBlock {
  readonly stage: "leak" | "injection" | "policy" | "failure";
  /** Id of the rule, unless the check itself failed. */
  readonly rule?: string | undefined;
  readonly reason: string;
}

export interface OutputInspection {
  /** What the model may see. */
  readonly content: string;
  /** Whether the content changed, or is flagged so that the wrapper warns of it (SAFE-007). */
  readonly modified: boolean;
  readonly blocked?: OutputBlock | undefined;
  /** Whether a rule asks for a person's approval (SAFE-010). */
  readonly needsReview: boolean;
  /** For the wrapper that the model sees, one line each (SAFE-033). */
  readonly warnings: readonly SafetyWarning[];
  /** Everything that was seen, also what changed nothing; ranges lie in the text that was given. */
  readonly findings: readonly Finding[];
}

/**
 * Makes a tool's output safe for the model: cuts it, redacts secrets, escapes forged messages, and
 * says what it saw (SAFE-001 to SAFE-012). It never throws for a text; what cannot be checked is
 * blocked.
 * @param text - the whole output
 * @throws RangeError if `maxLength` is no integer of at least 256
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
    inspection.sanitize() ??
    inspection.validate() ??
    inspection.applyPolicy();
  if (block !== undefined) return inspection.end(REPLACEMENTS[block.stage], block);
  const content = cut === undefined ? inspection.text : `${inspection.text}\n${cut.notice}`;
  return inspection.end(shortened(content, cut?.notice, settings));
}

/** Escapes make a text longer; one that outgrew the maximum is cut and inspected once more. */
function shortened(content: string, notice: string | undefined, settings: Settings): string {
  const cut = cutToLength(content, settings.maxLength);
  if (cut === undefined) return content;
  return inspect(`${cut.head}\n${notice ?? cut.notice}`, settings).content;
}

/** One text on its way through the stages; each stage works on what the one before left (SAFE-001). */
class Inspection {
  readonly #source: string;
  readonly #settings: Settings;
  readonly #findings: Finding[] = [];
  readonly #warnings: SafetyWarning[] = [];
  #current: DerivedText;
  #views: TextViews;
  #flagged = false;
  #needsReview = false;

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

  /** @param reach - the text and what stood behind the cut, where a secret may end */
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
    const { rules, injection, injectionCheck } = this.#settings;
    const { matches, escapes } = scanInjections(this.#views, "output", rules);
    const { offsets } = this.#current;
    for (const match of matches) {
      if (isFlagging(match)) this.warn(injectionWarning(match));
      else if (!injectionCheck) continue;
      this.#findings.push(injectionFinding(match, "output", offsets));
    }
    const confirmed = matches.find(isConfirmed);
    if (injection === "replace" && confirmed !== undefined) {
      return { stage: "injection", rule: confirmed.rule.id, reason: confirmed.rule.reason };
    }
    this.#become(applyEdits(this.#current, escapes));
    return undefined;
  }

  /** On output the validator only warns (SAFE-009). */
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
    this.#notePolicy(matches);
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
      this.#notePolicy(matches.filter(isRedacted(this.text)));
    }
    return undefined;
  }

  /** A secret that stood glued to what was replaced begins a word now, and is one. */
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

  #notePolicy(matches: readonly PolicyMatch[]): void {
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

/** Whether a policy match is taken out of the text; what already was is left alone. */
function isRedacted(text: string): (match: PolicyMatch) => boolean {
  return ({ rule, range }) =>
    rule.actions.output === "redact" && !REDACTED.includes(text.slice(...range));
}
