import type { Decision } from "@openclaw/client/conversation";
import { DECISIONS } from "./approval-answer.js";

const EFFECTS: Readonly<Record<Decision, string>> = {
  "allow-once": "allows this call, and asks again next time",
  "allow-always":
    "also allows calls like it; the card says which before you confirm, and Tab changes where",
  deny: "denies the call; the model is told so",
};

/** Keys that every card has. */
const KEYS: readonly (readonly [key: string, effect: string])[] = [
  ["Enter", "confirms the letter; without a letter it does nothing"],
  ["Esc", "takes the letter back, as does any other key"],
  ["↑ ↓ PgUp PgDn", "scroll a long request; Home and End go to its ends"],
  ["/", "searches a long request or a change; n and N go to the next and the previous match"],
  ["Ctrl-O", "gives the request the whole terminal"],
  ["Tab", "goes to the input, where other text goes too, and back to the request"],
  ["Ctrl-C", "interrupts the turn, and the request with it"],
  ["?", "hides these lines"],
];

/**
 * Returns what the keys of a card do, a line each.
 * @param allowed - decisions that the request offers
 */
export function cardKeys(allowed: readonly Decision[]): readonly string[] {
  const decisions = DECISIONS.filter(([decision]) => allowed.includes(decision)).map(
    ([decision, key]) => [key, EFFECTS[decision]] as const,
  );
  return [...decisions, ...KEYS].map(([key, effect]) => `${key.padEnd(14)}${effect}`);
}
