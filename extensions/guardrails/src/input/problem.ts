/** Part of an input that is not accepted. */
export interface InputProblem {
  /** Field, for example `content`, `attachments[0].name` or `params.path`. */
  readonly field: string;
  /** Reason that completes the sentence "<field> …". */
  readonly reason: string;
}

/**
 * Names a character in a message.
 * @param text - text with the character
 * @param index - offset in UTF-16 code units
 */
export function characterAt(text: string, index: number): string {
  const code = (text.codePointAt(index) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return `U+${code} at character ${[...text.slice(0, index)].length + 1}`;
}
