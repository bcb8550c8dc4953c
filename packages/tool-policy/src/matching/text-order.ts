/** Compares strings by their UTF-16 code units, with the same result on every machine. */
export function compareText(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
