import { anchoredWord } from "../../detector.js";
import { BLOCKED_LEAK } from "../../leak-actions.js";
import type { LeakRule } from "../../rule.js";
import { ALONE } from "../word-boundary.js";

const REASON = "Anyone who has it can use the service as its owner.";
const LETTERS = "Abc123Def456Ghi789";
const LONGEST_SAMPLE = 300;

/** Form of the tokens of one service. */
export interface TokenForm {
  readonly id: string;
  readonly title: string;
  /** Beginnings, in exact case; `anchored` explains the notation. */
  readonly anchors: readonly string[];
  /** Source of a regular expression for the whole token. */
  readonly form: string;
  /** Shortest strings that match; without their last character they do not match. */
  readonly match: readonly string[];
}

/** Returns a string of mixed letters and digits, as a sample. */
export function mixed(length: number): string {
  return LETTERS.repeat(Math.ceil(LONGEST_SAMPLE / LETTERS.length)).slice(0, length);
}

/** Returns a string of hexadecimal digits in lower case, as a sample. */
export function hex(length: number): string {
  return "0123456789abcdef".repeat(Math.ceil(LONGEST_SAMPLE / 16)).slice(0, length);
}

/** Returns a string of upper-case letters and digits, as a sample. */
export function upper(length: number): string {
  return mixed(length).toUpperCase();
}

/**
 * Returns the leak rule for a form of tokens. No letter or digit may touch the beginning of the
 * token.
 * @param form - row of the table
 */
export function tokenRule({ id, title, anchors, form, match }: TokenForm): LeakRule {
  return {
    kind: "leak",
    id,
    title,
    reason: REASON,
    severity: "critical",
    label: "API_KEY",
    actions: BLOCKED_LEAK,
    detector: anchoredWord(anchors, new RegExp(`${ALONE}(?:${form})`, "y")),
    examples: {
      match,
      clean: match.flatMap((token) => [token.slice(0, -1), `x${token}`]),
    },
  };
}
