const MAX_DISTANCE = 3;
const MAX_SUGGESTIONS = 3;

/** The known names closest to `name`, nearest first; only those at most three edits away. */
export function nearestNames(name: string, known: Iterable<string>): string[] {
  return [...known]
    .map((candidate) => ({ candidate, distance: editDistance(name, candidate) }))
    .filter(({ distance }) => distance <= MAX_DISTANCE)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, MAX_SUGGESTIONS)
    .map(({ candidate }) => candidate);
}

/** Insertions, deletions and replacements that turn one text into the other (Levenshtein). */
function editDistance(from: string, to: string): number {
  const target = [...to];
  let distance = target.length;
  // Per prefix of the target: its distance to what has been read of `from` so far.
  let row = target.map((_, column) => column + 1);
  [...from].forEach((character, read) => {
    let diagonal = read;
    distance = read + 1;
    row = row.map((above, column) => {
      const replaced = diagonal + (character === target[column] ? 0 : 1);
      diagonal = above;
      distance = Math.min(replaced, above + 1, distance + 1);
      return distance;
    });
  });
  return distance;
}
