import { distance } from "fastest-levenshtein";

/** Most edits after which a name still counts as a misspelling. */
const MOST_EDITS = 3;

/**
 * Returns the known name that is spelled most like a name, ignoring case and the difference of `-`, `_` and spaces.
 * @param name - name to look for
 * @param known - existing names
 * @returns undefined when none is near
 */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const wanted = plain(name);
  const [best] = known
    .map((candidate) => ({ candidate, edits: distance(wanted, plain(candidate)) }))
    .sort((left, right) => left.edits - right.edits);
  if (best !== undefined && best.edits <= Math.min(MOST_EDITS, wanted.length / 2)) {
    return best.candidate;
  }
  if (wanted.length < MOST_EDITS) return undefined;
  return known.find(
    (candidate) => plain(candidate).includes(wanted) || wanted.includes(plain(candidate)),
  );
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[-_\s]/g, "");
}
