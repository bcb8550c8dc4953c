import { elementAt } from "../text/checked-index.js";

/**
 * Consequence of a match (SAFE-042), weakest first: nothing, a record in the findings, replacement
 * of the matched range, the warning wrapper, a person's approval, rejection of the complete text.
 */
export type SafetyAction = "allow" | "warn" | "redact" | "sanitize" | "review" | "block";

export const SAFETY_ACTIONS: readonly SafetyAction[] = [
  "allow",
  "warn",
  "redact",
  "sanitize",
  "review",
  "block",
];

/**
 * Origin of a text: a tool's parameters, a tool's output, a user's message, an outgoing request, a
 * file of the user, a line of a log.
 */
export type SafetyContext = "params" | "output" | "input" | "network" | "file" | "log";

export const SAFETY_CONTEXTS: readonly SafetyContext[] = [
  "params",
  "output",
  "input",
  "network",
  "file",
  "log",
];

/** Action of one rule in every context. */
export type ContextActions = Readonly<Record<SafetyContext, SafetyAction>>;

/**
 * Returns the strongest of some actions; "allow" for none (SAFE-021).
 * @param actions - actions in any order
 */
export function strongestAction(actions: Iterable<SafetyAction>): SafetyAction {
  let strongest = 0;
  for (const action of actions) strongest = Math.max(strongest, SAFETY_ACTIONS.indexOf(action));
  return elementAt(SAFETY_ACTIONS, strongest);
}
