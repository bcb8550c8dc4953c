/** Furthest edit distance at which a name still counts as meant. */
const FURTHEST = 3;

/**
 * The names that are spelled most like a name, best first; none further than three edits.
 * @param name - what was written
 * @param known - what could have been meant
 * @param count - how many at most
 */
export function nearestNames(name: string, known: Iterable<string>, count = 3): string[] {
  const wanted = name.toLowerCase();
  const near: { name: string; distance: number }[] = [];
  for (const candidate of known) {
    const distance = editDistance(wanted, candidate.toLowerCase());
    if (distance <= FURTHEST) near.push({ name: candidate, distance });
  }
  return near
    .sort((a, b) => a.distance - b.distance)
    .slice(0, count)
    .map((match) => match.name);
}

/**
 * A list as it stands in a sentence, for example `"a", "b" or "c"`.
 * @param names - what to choose from
 */
export function quotedChoice(names: readonly string[]): string {
  const quoted = names.map((name) => `"${name}"`);
  const last = quoted.pop();
  if (last === undefined) return "";
  return quoted.length === 0 ? last : `${quoted.join(", ")} or ${last}`;
}

/** Insertions, deletions and substitutions between two texts; texts of very different length count as far. */
function editDistance(left: string, right: string): number {
  if (Math.abs(left.length - right.length) > FURTHEST) return FURTHEST + 1;
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (const [down, character] of [...left].entries()) {
    const next = [down + 1];
    for (const [across, other] of [...right].entries()) {
      const substitution = (row[across] ?? 0) + (character === other ? 0 : 1);
      const removal = (row[across + 1] ?? 0) + 1;
      const insertion = (next[across] ?? 0) + 1;
      next.push(Math.min(substitution, removal, insertion));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
