/**
 * Matches characters that move the cursor, are invisible or change the direction of text, and so could make a
 * text look like another.
 */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * Replaces each invisible character of a text with its code point.
 * @param text - untrusted text
 */
export function visible(text: string): string {
  return text.replace(INVISIBLE, (character) => {
    const point = character.codePointAt(0) ?? 0;
    return `\\u{${point.toString(16)}}`;
  });
}
