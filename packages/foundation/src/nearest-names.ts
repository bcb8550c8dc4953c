import { distance } from "fastest-levenshtein";

const MAX_DISTANCE = 3;

/**
 * Returns the known names that are spelled most like a name, best first. Upper and lower case count as equal.
 * @param name - as written
 * @param known - names that exist
 * @param count - maximum number of names to return
 * @returns names at most three edits away, and at most half as many edits as the name has letters
 */
export function nearestNames(name: string, known: Iterable<string>, count = 3): string[] {
  const wanted = name.toLowerCase();
  const near: { readonly name: string; readonly edits: number }[] = [];
  for (const candidate of known) {
    if (Math.abs(candidate.length - name.length) > MAX_DISTANCE) continue;
    const edits = distance(wanted, candidate.toLowerCase());
    // A name of which most letters must be replaced is a different name, not a misspelling.
    if (edits <= Math.min(MAX_DISTANCE, Math.max(1, name.length / 2))) {
      near.push({ name: candidate, edits });
    }
  }
  return near
    .sort((left, right) => left.edits - right.edits)
    .slice(0, count)
    .map((match) => match.name);
}

/**
 * Returns the known name that is spelled most like a name.
 * @param name - as written
 * @param known - names that exist
 * @returns undefined when no name is near
 */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  return nearestNames(name, known, 1)[0];
}

/**
 * Returns a choice of names as part of a sentence, for example `"a", "b" or "c"`.
 * @param names - at least one
 */
export function quotedChoice(names: readonly string[]): string {
  const quoted = names.map((name) => `"${name}"`);
  const last = quoted.pop();
  if (last === undefined) return "";
  return quoted.length === 0 ? last : `${quoted.join(", ")} or ${last}`;
}
