import { BUILT_IN_RULES } from "../rules/built-in/rules.js";
import { TextViews } from "../text/views.js";
import { isSecretAction } from "./redaction.js";
import { findLeaks, type LeakOptions } from "./scan.js";

/** Place of a secret in a text, in UTF-16 code units; the end is exclusive. */
export interface SecretPlace {
  readonly start: number;
  readonly end: number;
  /** ID of the rule that found it. */
  readonly rule: string;
}

/**
 * Returns the places of the secrets that would be redacted in the output of a tool.
 * @param options - rules in force; default the built-in ones
 */
export function findSecrets(
  text: string,
  { rules = BUILT_IN_RULES }: Pick<LeakOptions, "rules"> = {},
): readonly SecretPlace[] {
  return findLeaks(new TextViews(text), "output", rules)
    .filter(({ rule }) => isSecretAction(rule.actions.output))
    .map(({ range: [start, end], rule: { id } }) => ({ start, end, rule: id }));
}
