function editDistance(from: string, to: string, limit: number): number {
  let previous = Array.from({ length: to.length + 1 }, (_, column) => column);
  let last = to.length;
  for (const [row, letter] of [...from].entries()) {
    let diagonal = row;
    last = row + 1;
    let best = last;
    const current = previous.map((above, column) => {
      if (column === 0) return last;
      const substituted = diagonal + (letter === to[column - 1] ? 0 : 1);
      diagonal = above;
      last = Math.min(above + 1, last + 1, substituted);
      best = Math.min(best, last);
      return last;
    });
    if (best > limit) return best;
    previous = current;
  }
  return last;
}

/**
 * The candidate that differs least from a name, if one is near enough to be what was meant.
 * @param name - what was written
 * @param candidates - what would be valid
 */
export function nearestName(name: string, candidates: Iterable<string>): string | undefined {
  let limit = Math.max(1, Math.floor(name.length / 3));
  let nearest: string | undefined;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - name.length) > limit) continue;
    const distance = editDistance(name, candidate, limit);
    if (distance > limit) continue;
    if (nearest !== undefined && distance === limit && candidate >= nearest) continue;
    nearest = candidate;
    limit = distance;
  }
  return nearest;
}
