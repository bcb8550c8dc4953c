/**
 * Writes control characters and the marks that turn the direction of text as escapes, so that a
 * name from outside can neither move a cursor nor disguise what it says.
 * @param text - any text
 */
export function printable(text: string): string {
  return text.replace(
    /[\p{Cc}\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
