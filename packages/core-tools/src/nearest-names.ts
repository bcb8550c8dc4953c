/**
 * The names most like a wanted one, for "did you mean" sentences.
 * @param wanted - what was asked for
 * @param names - what there is
 * @param limit - how many to give at most
 * @returns names within an edit distance of a third of the longer one (at least 2) and names that
 * contain the wanted one, nearest first, ties in alphabetical order
 */
export function nearestNames(wanted: string, names: readonly string[], limit = 3): string[] {
  const target = wanted.toLowerCase();
  const ranked: { name: string; distance: number }[] = [];
  for (const name of names) {
    const candidate = name.toLowerCase();
    const within = Math.max(2, Math.floor(Math.max(target.length, candidate.length) / 3));
    const distance = editDistance(target, candidate);
    const contained = target.length >= 3 && candidate.includes(target);
    if (distance <= within || contained) {
      ranked.push({ name, distance: contained ? Math.min(distance, within) : distance });
    }
  }
  ranked.sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1));
  return ranked.slice(0, limit).map((entry) => entry.name);
}

/** Levenshtein distance, one row at a time. */
function editDistance(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const same = from[row - 1] === to[column - 1];
      const substituted = (previous[column - 1] ?? 0) + (same ? 0 : 1);
      const removed = (previous[column] ?? 0) + 1;
      const added = (current[column - 1] ?? 0) + 1;
      current.push(Math.min(substituted, removed, added));
    }
    previous = current;
  }
  return previous[to.length] ?? 0;
}
