/** Groups of digits with single spaces or hyphens, not inside a longer number, word or decimal. */
const CANDIDATE =
  /(?<![\p{L}\p{N}]|[\p{N}][.,:/_-])\d(?:[ -]?\d){11,18}(?![\p{L}\p{N}]|[.,:/_-]\p{N})/gu;

/** First digits and lengths of the networks. */
const NETWORKS: readonly { readonly start: RegExp; readonly lengths: readonly number[] }[] = [
  { start: /^4/, lengths: [13, 16, 19] },
  { start: /^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, lengths: [16] },
  { start: /^3[47]/, lengths: [15] },
  { start: /^3(?:0[0-5]|095|[689])/, lengths: [14, 16] },
  { start: /^(?:6011|64[4-9]|65)/, lengths: [16, 19] },
  { start: /^35(?:2[89]|[3-8])/, lengths: [16, 17, 18, 19] },
  { start: /^62/, lengths: [16, 17, 18, 19] },
  {
    start: /^(?:5018|5020|5038|5893|6304|6759|676[1-3])/,
    lengths: [12, 13, 14, 15, 16, 17, 18, 19],
  },
];

/** Finds payment card numbers: digits of a known network and length with a correct check digit. */
export function* findCards(text: string): Generator<readonly [start: number, end: number]> {
  for (const { 0: written, index } of text.matchAll(CANDIDATE)) {
    const digits = written.replaceAll(/\D/g, "");
    const isKnown = NETWORKS.some(
      ({ start, lengths }) => start.test(digits) && lengths.includes(digits.length),
    );
    if (isKnown && hasLuhnDigit(digits)) yield [index, index + written.length];
  }
}

/** Returns true if the last digit is the check digit of the others, by the algorithm of Luhn. */
export function hasLuhnDigit(digits: string): boolean {
  let sum = 0;
  for (let place = 0; place < digits.length; place += 1) {
    const digit = Number(digits.charAt(digits.length - 1 - place)) * (place % 2 === 0 ? 1 : 2);
    sum += digit > 9 ? digit - 9 : digit;
  }
  return sum % 10 === 0;
}
