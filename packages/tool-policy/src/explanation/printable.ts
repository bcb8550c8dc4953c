/**
 * Escapes control characters and bidirectional text marks, so that a name from outside can neither
 * move the cursor nor disguise its content.
 */
export function printable(text: string): string {
  return text.replace(
    /[\p{Cc}\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
