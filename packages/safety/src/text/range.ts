/** Offsets into a text in UTF-16 code units; the end is exclusive. */
export type Range = readonly [start: number, end: number];

/** Range of a text and its replacement. */
export interface Edit {
  readonly range: Range;
  readonly replacement: string;
}

/**
 * Returns the union of ranges, sorted, with overlapping ones joined (SAFE-005).
 * @param ranges - ranges in any order
 */
export function mergeRanges(ranges: readonly Range[]): Range[] {
  const merged: [number, number][] = [];
  for (const [start, end] of [...ranges].sort((a, b) => a[0] - b[0])) {
    const last = merged.at(-1);
    if (last !== undefined && start < last[1]) last[1] = Math.max(last[1], end);
    else merged.push([start, end]);
  }
  return merged;
}
