import { escapeUnseen } from "@openclaw/foundation";

/** Matches the end of a line in JSON: an escaped line feed whose backslash is not itself escaped. */
const LINE_END = /(?<=(?<!\\)(?:\\\\)*\\n)/;

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
