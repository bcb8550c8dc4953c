import type { TextRange } from "./matcher.js";

/**
 * Returns a text with a star for each character of some ranges.
 * @param ranges - ranges in order, without overlap
 */
export function masked(text: string, ranges: readonly TextRange[]): string {
  let result = "";
  let from = 0;
  for (const { start, end } of ranges) {
    result += text.slice(from, start) + "*".repeat([...text.slice(start, end)].length);
    from = end;
  }
  return result + text.slice(from);
}
