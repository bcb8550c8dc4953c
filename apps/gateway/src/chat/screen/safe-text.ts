/** Matches characters that a terminal would obey, or that hide or reorder others; line breaks and tabs are kept. */
const OBEYED =
  /(?![\n\t])[\p{Cc}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\u2028\u2029]/gu;

/**
 * Returns text of several lines that cannot control the terminal: control and bidirectional characters become their
 * code point. Characters that combine with others are kept.
 * @param text - text of a model, a tool or a person
 */
export function safeText(text: string): string {
  return text
    .replaceAll("\r\n", "\n")
    .replace(OBEYED, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}
