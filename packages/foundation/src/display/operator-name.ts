/** Operators, who have no name, by channel and sender. */
const OPERATORS: ReadonlyMap<string, string> = new Map([
  ["terminal:operator", "the operator, at the terminal of the gateway"],
  ["api:api", "the operator, from a connected terminal or program"],
]);

/**
 * Returns the operator in plain words.
 * @param sender - channel and sender, for example `terminal:operator`
 * @returns undefined for any other sender
 */
export function operatorName(sender: string): string | undefined {
  return OPERATORS.get(sender);
}
