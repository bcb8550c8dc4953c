import { distance } from "fastest-levenshtein";

const MAX_DISTANCE = 3;
/** Minimum length of a contained name; shorter ones occur in too many others by chance. */
const MIN_CONTAINED = 3;

/**
 * Returns the known names that are spelled most like a name, best first, ignoring case.
 * @param name - name to look for
 * @param known - existing names
 * @param count - maximum number of names to return
 * @returns names at most three edits away, and at most half as many edits as the name has letters; then names
 * that contain the name; equally near names in alphabetical order
 */
export function nearestNames(name: string, known: Iterable<string>, count = 3): string[] {
  const wanted = name.toLowerCase();
  const near: { readonly name: string; readonly edits: number }[] = [];
  for (const candidate of new Set(known)) {
    const edits = editsBetween(wanted, candidate.toLowerCase());
    if (edits !== undefined) near.push({ name: candidate, edits });
  }
  return near
    .sort((left, right) => left.edits - right.edits || (left.name < right.name ? -1 : 1))
    .slice(0, count)
    .map((match) => match.name);
}

/**
 * Returns the known name that is spelled most like a name.
 * @param name - name to look for
 * @param known - existing names
 * @returns the nearest name; undefined when none is near
 */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  return nearestNames(name, known, 1)[0];
}

function editsBetween(wanted: string, candidate: string): number | undefined {
  if (Math.abs(candidate.length - wanted.length) <= MAX_DISTANCE) {
    const edits = distance(wanted, candidate);
    // If most letters must be replaced, it is a different name, not a misspelling.
    if (edits <= Math.min(MAX_DISTANCE, Math.max(1, wanted.length / 2))) return edits;
  }
  const isContained = wanted.length >= MIN_CONTAINED && candidate.includes(wanted);
  return isContained ? candidate.length : undefined;
}
