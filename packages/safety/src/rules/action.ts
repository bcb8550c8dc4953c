import { elementAt } from "../text/checked-index.js";

/**
 * What a match calls for (SAFE-042), weakest first: nothing, a note in the findings, replacing the
 * matched range, the warning wrapper, a person's approval, refusing the whole text.
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
 * Where a text stands when it is checked: a tool's parameters, a tool's output, a user's message,
 * a request that leaves the machine, a file the user owns, a line of a log.
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

/** The action of one rule in every context. */
export type ContextActions = Readonly<Record<SafetyContext, SafetyAction>>;

/**
 * The strongest of some actions; "allow" when there is none (SAFE-021).
 * @param actions - in any order
 */
export function strongestAction(actions: Iterable<SafetyAction>): SafetyAction {
  let strongest = 0;
  for (const action of actions) strongest = Math.max(strongest, SAFETY_ACTIONS.indexOf(action));
  return elementAt(SAFETY_ACTIONS, strongest);
}
