import { defined } from "@openclaw/plugin-sdk/plugin-entry";
import {
  type CountryCode,
  findPhoneNumbersInText,
  getCountryCallingCode,
  isSupportedCountry,
} from "libphonenumber-js/min";

/** A number in groups, as people write a phone number without the code of its country. */
const GROUPED = /^\(|\d[ ./-]\(?\d/;
/** Numbers that only look grouped: decimals and dates. */
const DECIMAL_OR_DATE = /^\d+[.,]\d+$|^\d{1,4}[./-]\d{1,2}[./-]\d{1,4}$/;
/** Groups of a number of North America, without and with the 1 before it. */
const NORTH_AMERICAN = /^(?:1[ .-]?)?\(?\d{3}\)?[ ./-]?\d{3}[ .-]\d{4}(?!\d)/;
/** Words before a number that make it a phone number. */
const LABEL =
  /(?:tel|phone|mobile|cell|call|fax|whatsapp|text|sms|numéro|telefon|handy|ruf\p{L}*|teléfono|móvil|celular|telefone|reach|dial|ring)\P{N}{0,24}$/iu;
/** Label, or its end, of data that was removed: its word "PHONE" does not make the next number a phone number. */
const REMOVED = /(?:\[RED)?[A-Z]{0,5}_(?:PHONE|CARD|IBAN|EMAIL)\]/g;
/** Digits and the signs that may be between them, and an extension. */
const RUN = /[+(\uff0b]{0,2}\d[\d \t\u00a0()./\u2010-\u2015-]{5,}(?:(?:x|ext\.?) ?\d{1,6})?/giu;
/** More digits without a sign between them than an international number has. */
const TOO_MANY_DIGITS = /^\d{16,}$/;
/** Length of the parts of a long run, and the length of a number, by which they overlap. */
const WINDOW = 160;
const OVERLAP = 40;
const DIGITS = /\d(?:\D{0,2}\d){6}/;

/** Finds phone numbers by the numbering plans of the countries. */
export class PhoneNumbers {
  readonly #countries: readonly {
    readonly country: CountryCode;
    readonly isNorthAmerican: boolean;
  }[];

  /** @param countries - countries whose numbers are found without the code of the country */
  constructor(countries: readonly string[]) {
    this.#countries = countries.filter(isCountry).map((country) => ({
      country,
      isNorthAmerican: getCountryCallingCode(country) === "1",
    }));
  }

  /** Finds phone numbers: with the code of a country, or of one of the countries when it is written in groups. */
  *find(text: string): Generator<readonly [start: number, end: number]> {
    if (!DIGITS.test(text)) return;
    if (/[+\uff0b]/.test(text)) yield* numbersIn(text, undefined, () => true);
    // Of most countries 00 is the prefix of international numbers, which a plan without a country does not know.
    if (/(?<!\d)00/.test(text)) yield* numbersIn(text, "DE", (written) => written.startsWith("00"));
    for (const { country, isNorthAmerican } of this.#countries) {
      yield* numbersIn(
        text,
        country,
        (written, before) =>
          isWrittenAsPhone(written, before) &&
          (!isNorthAmerican || LABEL.test(before) || NORTH_AMERICAN.test(written)),
      );
    }
  }
}

/**
 * Returns true for the code of a country whose numbering plan is known.
 * @param code - two letters, for example `DE`
 */
export function isCountry(code: string): code is CountryCode {
  return isSupportedCountry(code);
}

/** Finds the valid numbers of a text that are written as phone numbers. */
function* numbersIn(
  text: string,
  defaultCountry: CountryCode | undefined,
  isWritten: (written: string, before: string) => boolean,
): Generator<readonly [start: number, end: number]> {
  const options = {
    v2: true,
    ...defined({ defaultCountry }),
  } as const;
  for (const [from, to] of windowsOf(text)) {
    for (const found of findPhoneNumbersInText(text.slice(from, to), options)) {
      const [start, end] = [from + found.startsAt, from + found.endsAt];
      const before = text.slice(Math.max(0, start - 48), start).replaceAll(REMOVED, "0");
      if (found.number.isValid() && isWritten(text.slice(start, end), before)) yield [start, end];
    }
  }
}

/**
 * Returns the parts of a text that have digits and the signs between them, with the characters around. The library takes
 * the square of the length of its text.
 */
function* windowsOf(text: string): Generator<readonly [from: number, to: number]> {
  for (const { 0: run, index } of text.matchAll(RUN)) {
    if (TOO_MANY_DIGITS.test(run) || !DIGITS.test(run)) continue;
    for (let at = 0; at < run.length; at += WINDOW - OVERLAP) {
      const end = Math.min(at + WINDOW, run.length);
      yield [Math.max(0, index + at - 2), Math.min(text.length, index + end + 2)];
      if (end === run.length) break;
    }
  }
}

function isWrittenAsPhone(written: string, before: string): boolean {
  if (written.startsWith("+")) return false;
  if (LABEL.test(before)) return true;
  return GROUPED.test(written) && !DECIMAL_OR_DATE.test(written);
}
