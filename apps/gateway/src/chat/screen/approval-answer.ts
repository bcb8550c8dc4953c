import type { Decision } from "@openclaw/client/conversation";

/** Decisions with their key and their word. */
export const DECISIONS: readonly (readonly [Decision, string, string])[] = [
  ["allow-once", "y", "yes"],
  ["allow-always", "a", "always"],
  ["deny", "n", "no"],
];

/** Text that answers an approval request, whichever decisions it offers. */
const ANSWER = /^\s*(?:y|yes|a|always|n|no)\s*$/i;

/**
 * Returns the decision that text is an answer with: a letter, its word, or a second letter instead of the first.
 * @param written - typed text
 * @param allowed - decisions that the request offers
 */
export function decisionOf(written: string, allowed: readonly Decision[]): Decision | undefined {
  const text = written.toLowerCase();
  if (text === "") return undefined;
  const offered = DECISIONS.filter(([decision]) => allowed.includes(decision));
  const [first = "", second = "", ...more] = text;
  const isAnother = more.length === 0 && offered.some(([, key]) => key === first);
  const found =
    offered.find(([, , word]) => word.startsWith(text)) ??
    // A second letter never makes a decision last longer than the first one.
    (isAnother && second !== "a" ? offered.find(([, key]) => key === second) : undefined);
  return found?.[0];
}

/**
 * Returns true for text that is an answer to other requests, but not offered for this one.
 * @param written - typed text
 * @param allowed - decisions that the request offers
 */
export function isUnoffered(written: string, allowed: readonly Decision[]): boolean {
  const text = written.toLowerCase();
  if (text === "") return false;
  return DECISIONS.some(
    ([decision, , word]) => word.startsWith(text) && !allowed.includes(decision),
  );
}

/**
 * Returns true for text that is nothing but an answer to an approval request.
 * @param text - text of the editor
 */
export function isAnswer(text: string): boolean {
  return ANSWER.test(text);
}
