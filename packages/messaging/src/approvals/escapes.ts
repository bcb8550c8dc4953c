/**
 * Characters that a reader does not see, or that change how others are shown: control, format (bidirectional
 * ones among them), private and unassigned characters, ignorable ones such as fillers and variation selectors,
 * and every kind of space but the usual one.
 */
const UNSEEN = /(?! )[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/gu;
/** The end of a line in JSON: an escaped line feed whose backslash is not escaped itself. */
const LINE_END = /(?<=(?<!\\)(?:\\\\)*\\n)/;

/**
 * Returns a text in which each character is visible: line breaks, control, bidirectional and invisible
 * characters are written as their code point, `\u{202e}` (APPR-047).
 * @param text - any string
 */
export function escapeUnseen(text: string): string {
  return text.replace(UNSEEN, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

/**
 * Returns the parameters of a call as JSON on one line, with every character visible. Backslashes are doubled as
 * JSON does it, so that an escape cannot be confused with text that looks like one.
 * @param params - plain JSON, with secrets masked
 */
export function parameterText(params: unknown): string {
  return escapeUnseen(JSON.stringify(params) ?? "null");
}

/**
 * Splits the text of parameters into lines for reading, each with its `\n` at the end.
 * @param text - from {@link parameterText}
 */
export function parameterLines(text: string): readonly string[] {
  return text.split(LINE_END);
}
