import { anchoredWord } from "../../detector.js";
import { BLOCKED_LEAK } from "../../leak-actions.js";
import type { LeakRule } from "../../rule.js";
import { ALONE } from "../word-boundary.js";

const REASON = "Any holder acts on the service in the name of its owner.";
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
  /** The shortest strings that match; without their last character they do not. */
  readonly match: readonly string[];
}

/** So many letters and digits, mixed. */
export function mixed(length: number): string {
  return LETTERS.repeat(Math.ceil(LONGEST_SAMPLE / LETTERS.length)).slice(0, length);
}

/** So many hexadecimal digits in lower case. */
export function hex(length: number): string {
  return "0123456789abcdef".repeat(Math.ceil(LONGEST_SAMPLE / 16)).slice(0, length);
}

/** So many letters and digits, those in upper case. */
export function upper(length: number): string {
  return mixed(length).toUpperCase();
}

/**
 * The leak rule of a form of tokens. The token stands alone: no letter or digit touches its beginning.
 * @param form - a row of the table
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
