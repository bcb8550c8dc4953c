import { injectionFinding, scanInjections } from "../injection/scan.js";
import { redactMatches } from "../leaks/redaction.js";
import { findLeaks } from "../leaks/scan.js";
import { type SafetyAction, strongestAction } from "../rules/action.js";
import { BUILT_IN_RULES } from "../rules/built-in/rules.js";
import { type Finding, limitFindings } from "../rules/finding.js";
import type { RuleSet } from "../rules/set.js";
import { underived } from "../text/derivation.js";
import { TextViews } from "../text/views.js";
import { findPolicyMatches, policyFinding } from "./policy-scan.js";
import {
  type ValidationError,
  type ValidationOptions,
  type ValidationWarning,
  validateText,
} from "./validator.js";

export interface InputOptions extends ValidationOptions {
  /** Rules in force; default the built-in ones. */
  readonly rules?: RuleSet | undefined;
}

export interface InputInspection {
  /** The text, without the ranges that rules redact in input; the built-in rules only warn (SAFE-040). */
  readonly content: string;
  readonly modified: boolean;
  /** True when the message must be rejected: its form is invalid, or a rule blocks it. */
  readonly blocked: boolean;
  readonly needsReview: boolean;
  readonly errors: readonly ValidationError[];
  readonly warnings: readonly ValidationWarning[];
  readonly findings: readonly Finding[];
}

/**
 * Checks a user's message: its form, and, as remarks, secrets, injection and policy. A text of
 * invalid form is not checked further.
 */
export function inspectInput(
  text: string,
  { rules = BUILT_IN_RULES, ...validation }: InputOptions = {},
): InputInspection {
  const { valid, errors, warnings } = validateText(text, validation);
  if (!valid) {
    return {
      content: text,
      modified: false,
      blocked: true,
      needsReview: false,
      errors,
      warnings,
      findings: [],
    };
  }
  const leaks = findLeaks(new TextViews(text), "input", rules);
  const { revised, findings } = redactMatches(underived(text), leaks, "input", rules);
  const views = new TextViews(revised.text);
  const all = [
    ...findings,
    ...scanInjections(views, "input", rules).matches.map((match) =>
      injectionFinding(match, "input", revised.offsets),
    ),
    ...findPolicyMatches(views, "input", rules).map((match) =>
      policyFinding(match, "input", revised.offsets),
    ),
  ];
  const action: SafetyAction = strongestAction(all.map((finding) => finding.action));
  return {
    content: revised.text,
    modified: revised.text !== text,
    blocked: action === "block",
    needsReview: all.some((finding) => finding.action === "review"),
    errors,
    warnings,
    findings: limitFindings(all),
  };
}
