/** Cyrillic letters that look like Latin ones (SAFE-024). */
const CYRILLIC: readonly (readonly [string, string])[] = [
  ["а", "a"],
  ["в", "b"],
  ["с", "c"],
  ["е", "e"],
  ["н", "h"],
  ["к", "k"],
  ["м", "m"],
  ["о", "o"],
  ["р", "p"],
  ["т", "t"],
  ["х", "x"],
  ["у", "y"],
  ["А", "A"],
  ["В", "B"],
  ["С", "C"],
  ["Е", "E"],
  ["Н", "H"],
  ["К", "K"],
  ["М", "M"],
  ["О", "O"],
  ["Р", "P"],
  ["Т", "T"],
  ["Х", "X"],
  ["У", "Y"],
];

const FULL_WIDTH_FIRST = 0xff_01;
const FULL_WIDTH_LAST = 0xff_5e;
const FULL_WIDTH_OFFSET = 0xfe_e0;

/** Source of a regular expression class body that matches every look-alike. */
export const LOOK_ALIKE_CLASS = `${CYRILLIC.map(([letter]) => letter).join("")}\\uFF01-\\uFF5E`;

/** Returns every look-alike with the Latin character that it resembles, as UTF-16 code units. */
export function lookAlikes(): (readonly [unit: number, latin: number])[] {
  const fullWidth = Array.from({ length: FULL_WIDTH_LAST - FULL_WIDTH_FIRST + 1 }, (_, index) => {
    const unit = FULL_WIDTH_FIRST + index;
    return [unit, unit - FULL_WIDTH_OFFSET] as const;
  });
  return [
    ...CYRILLIC.map(([letter, twin]) => [letter.charCodeAt(0), twin.charCodeAt(0)] as const),
    ...fullWidth,
  ];
}
