import { hasCharacters, hasRepetition } from "../../text/repetition.js";
import { isWhiteSpace } from "../../text/white-space.js";
import type { ContextActions } from "../action.js";
import type { ValidationRule } from "../rule.js";

const MOST_SPACE = 0.9;
const SPACE_MATTERS_ABOVE = 100;
const REPETITION_MATTERS_FROM = 50;

const NOTED: ContextActions = {
  params: "warn",
  output: "warn",
  input: "warn",
  network: "allow",
  file: "allow",
  log: "allow",
};

/** Rules about the complete text (SAFE-035). */
export const VALIDATION_RULES: readonly ValidationRule[] = [
  {
    kind: "validation",
    id: "excessive_whitespace",
    title: "excessive whitespace",
    reason:
      "More than nine tenths of a text of over 100 characters are white space, which may push other text out of sight.",
    severity: "low",
    actions: NOTED,
    detector: {
      by: "search",
      search: (text) => (isMostlySpace(text) ? [[0, text.length]] : []),
    },
    examples: {
      match: [`a${" ".repeat(100)}b`],
      clean: [" ".repeat(100), `${"a".repeat(11)}${" ".repeat(90)}`],
    },
  },
  {
    kind: "validation",
    id: "character_repetition",
    title: "excessive repetition of one character",
    reason:
      "One character is repeated more than 20 times in a text of 50 or more; this can fill a buffer or a screen.",
    severity: "low",
    actions: NOTED,
    detector: {
      by: "search",
      search: (text) =>
        text.length >= REPETITION_MATTERS_FROM &&
        hasRepetition(text) &&
        hasCharacters(text, REPETITION_MATTERS_FROM)
          ? [[0, text.length]]
          : [],
    },
    examples: {
      match: [`${"start of a message "}${"a".repeat(21)}${" end of it"}`, "🙂".repeat(50)],
      clean: [
        "a".repeat(49),
        `${"ab".repeat(40)}`,
        `a${"\u0301".repeat(60)}`,
        "e\u0301".repeat(49),
      ],
    },
  },
];

/**
 * Returns whether a text is mostly white space; it stops as soon as a tenth is known to be
 * something else.
 */
function isMostlySpace(text: string): boolean {
  if (text.length <= SPACE_MATTERS_ABOVE) return false;
  let others = 0;
  const most = text.length * (1 - MOST_SPACE);
  for (let index = 0; index < text.length && others < most; index += 1) {
    if (!isWhiteSpace(text.charCodeAt(index))) others += 1;
  }
  return others < most;
}
