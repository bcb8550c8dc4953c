/** Length of the part of each literal that is looked up, in UTF-16 code units. */
const KEY = 3;
const LOW_BITS = 0x7f;
const TABLE = 0x80_00;

/**
 * Looks for any of many literals in short strings. One look into a table of three characters decides nearly all places,
 * which an expression of some hundred alternatives takes a microsecond for.
 */
export class LiteralSearch {
  readonly #table = new Uint8Array(TABLE);
  readonly #literals = new Map<string, string[]>();

  /** @param literals - strings of three characters or more */
  constructor(literals: readonly string[]) {
    for (const literal of literals) {
      const key = literal.slice(0, KEY);
      const [first, second, third] = [0, 1, 2].map((at) => literal.charCodeAt(at) & LOW_BITS);
      this.#table[placeOf(first ?? 0, second ?? 0, third ?? 0)] = 1;
      this.#literals.set(key, [...(this.#literals.get(key) ?? []), literal]);
    }
  }

  /** Returns whether a text contains one of the literals. */
  isIn(text: string): boolean {
    let first = text.charCodeAt(0) & LOW_BITS;
    let second = text.charCodeAt(1) & LOW_BITS;
    for (let at = 2; at < text.length; at += 1) {
      const third = text.charCodeAt(at) & LOW_BITS;
      if (this.#table[placeOf(first, second, third)] === 1 && this.#isAt(text, at - 2)) return true;
      first = second;
      second = third;
    }
    return false;
  }

  #isAt(text: string, at: number): boolean {
    const literals = this.#literals.get(text.slice(at, at + KEY));
    return literals?.some((literal) => text.startsWith(literal, at)) ?? false;
  }
}

function placeOf(first: number, second: number, third: number): number {
  return (first << 8) ^ (second << 4) ^ third;
}
