/**
 * Returns the beginning of a text, which never ends in half of a character. `slice` leaves such a half, which strict
 * readers of JSON reject and people see as U+FFFD.
 * @param text - any text, also one whose last character is not complete yet
 * @param most - maximum number of UTF-16 code units
 */
export function startOfText(text: string, most: number): string {
  const start = text.length <= most ? text : text.slice(0, Math.max(0, most));
  return HIGH_HALF.test(start.slice(-1)) ? start.slice(0, -1) : start;
}

/**
 * Returns the end of a text, which never begins with half of a character.
 * @param most - maximum number of UTF-16 code units
 */
export function endOfText(text: string, most: number): string {
  const end = text.length <= most ? text : text.slice(text.length - Math.max(0, most));
  return LOW_HALF.test(end.slice(0, 1)) ? end.slice(1) : end;
}

/**
 * Returns a place at which a text can be cut: the given one, or the one before when it is between the halves of a
 * character.
 * @param at - place in UTF-16 code units
 */
export function characterStart(text: string, at: number): number {
  const place = Math.max(0, at);
  return place < text.length && HIGH_HALF.test(text.charAt(place - 1)) ? place - 1 : place;
}

const HIGH_HALF = /[\uD800-\uDBFF]/;
const LOW_HALF = /[\uDC00-\uDFFF]/;
