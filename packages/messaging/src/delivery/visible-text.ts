/** What moves a cursor, hides, or turns the direction of a text could make it read as another. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * A text with everything in it to be seen: what has no shape of its own stands as its code point.
 * @param text - from outside
 */
export function visible(text: string): string {
  return text.replace(INVISIBLE, (character) => {
    const point = character.codePointAt(0) ?? 0;
    return `\\u{${point.toString(16)}}`;
  });
}
