/** The characters that `\s` matches, and the next-line control. */
const WHITE_SPACE =
  "\t\n\v\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff";

const table = new Uint8Array(0x1_00_00);
for (const character of WHITE_SPACE) table[character.charCodeAt(0)] = 1;

/**
 * Returns whether a UTF-16 code unit is white space; faster than a regular expression for single
 * units.
 */
export function isWhiteSpace(unit: number): boolean {
  return table[unit] === 1;
}

/** Every unit that is white space. */
export const WHITE_SPACE_UNITS: readonly number[] = [...WHITE_SPACE].map((character) =>
  character.charCodeAt(0),
);
