/**
 * The names most like a wanted one, nearest first; none when all are far off.
 * @param wanted - what was asked for
 * @param names - what exists
 * @param count - how many to give at most
 */
export function nearestNames(wanted: string, names: Iterable<string>, count = 3): string[] {
  const target = wanted.toLowerCase();
  const farthest = Math.max(2, Math.ceil(target.length * 0.4));
  return [...new Set(names)]
    .map((name) => ({ name, distance: nameDistance(target, name.toLowerCase()) }))
    .filter(({ distance }) => distance <= farthest)
    .sort((left, right) => left.distance - right.distance)
    .slice(0, count)
    .map(({ name }) => name);
}

/** Edits from one to the other; a name found whole inside the other is near whatever surrounds it. */
function nameDistance(wanted: string, name: string): number {
  if (wanted.length > 2 && (name.includes(wanted) || wanted.includes(name))) return 1;
  return editDistance(wanted, name);
}

function editDistance(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const substitution = from[row - 1] === to[column - 1] ? 0 : 1;
      current.push(
        Math.min(
          (previous[column] ?? 0) + 1,
          (current[column - 1] ?? 0) + 1,
          (previous[column - 1] ?? 0) + substitution,
        ),
      );
    }
    previous = current;
  }
  return previous[to.length] ?? 0;
}
