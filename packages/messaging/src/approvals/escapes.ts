/**
 * Matches characters that are invisible or change how others are displayed: control, format (including
 * bidirectional), private-use and unassigned characters, ignorable ones such as fillers and variation
 * selectors, and every kind of space except the normal one.
 */
const UNSEEN = /(?! )[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/gu;
/** Matches the end of a line in JSON: an escaped line feed whose backslash is not itself escaped. */
const LINE_END = /(?<=(?<!\\)(?:\\\\)*\\n)/;

/**
 * Makes each character of a text visible: line breaks, control, bidirectional and invisible characters become
 * their code point, for example `\u{202e}` (APPR-047).
 * @param text - any string
 */
export function escapeUnseen(text: string): string {
  return text.replace(UNSEEN, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

/**
 * Returns the parameters of a call as JSON on one line, with every character visible. Backslashes are doubled
 * as in JSON, so that an escape cannot be confused with text that looks like one.
 * @param params - plain JSON with secrets masked
 */
export function parameterText(params: unknown): string {
  return escapeUnseen(JSON.stringify(params) ?? "null");
}

/**
 * Splits the text of parameters into lines for reading, each with its `\n` at the end.
 * @param text - text from {@link parameterText}
 */
export function parameterLines(text: string): readonly string[] {
  return text.split(LINE_END);
}
