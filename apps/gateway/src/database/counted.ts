/**
 * Returns a number with its noun, in the plural for any number but one.
 * @param noun - noun whose plural ends in s
 */
export function counted(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
