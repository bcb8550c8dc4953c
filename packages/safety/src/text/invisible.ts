/**
 * Code points that are invisible and ignored when text is checked (SAFE-024): NUL, soft hyphen,
 * zero-width characters and marks, bidirectional controls, invisible operators, byte order mark.
 * Tag characters (E0000 to E007F) are ignored too; they take two units.
 */
const INVISIBLE_UNITS: readonly (readonly [first: number, last: number])[] = [
  [0x00_00, 0x00_00],
  [0x00_ad, 0x00_ad],
  [0x20_0b, 0x20_0f],
  [0x20_2a, 0x20_2e],
  [0x20_60, 0x20_64],
  [0x20_66, 0x20_69],
  [0xfe_ff, 0xfe_ff],
];

/** Body of a regular expression class that matches every invisible character of one unit. */
export const INVISIBLE_CLASS = INVISIBLE_UNITS.map(
  ([first, last]) => `${escaped(first)}-${escaped(last)}`,
).join("");

const INVISIBLE = new RegExp(`[${INVISIBLE_CLASS}]|\\uDB40[\\uDC00-\\uDC7F]`, "g");

/** Returns a text without invisible characters. */
export function withoutInvisible(text: string): string {
  return text.replace(INVISIBLE, "");
}

/** Returns every UTF-16 code unit that is an invisible character by itself. */
export function invisibleUnits(): number[] {
  return INVISIBLE_UNITS.flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, index) => first + index),
  );
}

function escaped(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, "0")}`;
}
