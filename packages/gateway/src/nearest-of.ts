import { closest, distance } from "fastest-levenshtein";

const FARTHEST = 3;

/**
 * The name that was probably meant.
 * @param name - as written
 * @param known - names that exist
 * @returns undefined when none is near
 */
export function nearestOf(name: string, known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined;
  const near = closest(name, [...known]);
  return distance(name, near) <= FARTHEST ? near : undefined;
}
