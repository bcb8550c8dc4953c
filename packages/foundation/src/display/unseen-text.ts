/**
 * Matches characters that are invisible or change how others are displayed: control, format (including
 * bidirectional), private-use and unassigned characters, ignorable ones such as fillers and variation
 * selectors, and every kind of space except the normal one.
 */
const UNSEEN = /(?! )[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/**
 * Makes each character of a text visible: line breaks, control, bidirectional and invisible characters become
 * their code point, for example `\u{202e}` (APPR-047).
 */
export function escapeUnseen(text: string): string {
  return text.replace(UNSEEN, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}
