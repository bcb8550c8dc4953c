import { getCountrySpecifications, isValidIBAN } from "ibantools";

/** Country, check digits and the beginning of an account, alone or in groups of four. */
const CANDIDATE = /(?<![\p{L}\p{N}])[A-Z]{2}\d{2}(?=[ -]?[A-Z0-9])/giu;

const LENGTHS = new Map(
  Object.entries(getCountrySpecifications()).flatMap(([country, { chars }]) =>
    typeof chars === "number" ? [[country, chars] as const] : [],
  ),
);

/** Finds international bank account numbers: of the length of their country, with correct check digits. */
export function* findIbans(text: string): Generator<readonly [start: number, end: number]> {
  for (const { 0: beginning, index } of text.matchAll(CANDIDATE)) {
    const length = LENGTHS.get(beginning.slice(0, 2).toUpperCase());
    if (length === undefined) continue;
    const end = endOf(text, index, length);
    if (end === undefined) continue;
    const compact = text.slice(index, end).replaceAll(/[ -]/g, "").toUpperCase();
    if (isValidIBAN(compact)) yield [index, end];
  }
}

/** Returns the end of a number of letters and digits with single separators; undefined when the text has no such end. */
function endOf(text: string, start: number, length: number): number | undefined {
  let count = 0;
  let wasSeparator = true;
  for (let at = start; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (/[A-Z0-9]/i.test(character)) {
      count += 1;
      wasSeparator = false;
      if (count === length) return /[\p{L}\p{N}]/u.test(text.charAt(at + 1)) ? undefined : at + 1;
    } else if (/[ -]/.test(character) && !wasSeparator) {
      wasSeparator = true;
    } else {
      return undefined;
    }
  }
  return undefined;
}
