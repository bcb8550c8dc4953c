/**
 * Formats names as a choice within a sentence, for example `"a", "b" or "c"`.
 * @param names - at least one
 */
export function quotedChoice(names: readonly string[]): string {
  const quoted = names.map((name) => `"${name}"`);
  const last = quoted.pop();
  if (last === undefined) return "";
  return quoted.length === 0 ? last : `${quoted.join(", ")} or ${last}`;
}

/**
 * Returns a phrase that suggests names for a misspelled one, for example `did you mean "exec"?`.
 * @param nearest - existing names, best first; for example the result of `nearestNames`
 * @returns the phrase; undefined without a name
 */
export function didYouMean(nearest: string | readonly string[] | undefined): string | undefined {
  const names = typeof nearest === "string" ? [nearest] : (nearest ?? []);
  return names.length === 0 ? undefined : `did you mean ${quotedChoice(names)}?`;
}

/**
 * Appends the probably intended names to a message, for example `tool "exce" not found; did you mean
 * "exec"?`.
 * @param message - message without a full stop
 * @param nearest - existing names, best first; for example the result of `nearestNames`
 * @param otherwise - advice when no name is near; none by default
 */
export function withSuggestion(
  message: string,
  nearest: string | readonly string[] | undefined,
  otherwise?: string,
): string {
  const suggestion = didYouMean(nearest) ?? otherwise;
  return suggestion === undefined ? message : `${message}; ${suggestion}`;
}
