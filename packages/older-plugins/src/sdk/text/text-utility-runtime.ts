/**
 * Cuts a text without dividing a character.
 * @param text - text to cut
 * @param most - maximum number of UTF-16 code units
 * @deprecated Cut the text in the plugin.
 */
export function truncateUtf16Safe(text: string, most: number): string {
  const limit = Math.max(0, Math.floor(most));
  return text.length <= limit ? text : sliceUtf16Safe(text, 0, limit);
}

/**
 * Returns a part of a text without dividing a character at its ends.
 * @param start - first UTF-16 code unit
 * @param end - code unit after the last one
 * @deprecated Cut the text in the plugin.
 */
export function sliceUtf16Safe(text: string, start: number, end: number = text.length): string {
  return text.slice(start, end).replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "");
}

/**
 * Cuts a text to a number of bytes in UTF-8 without dividing a character.
 * @param text - text to cut
 * @param most - maximum number of bytes
 * @deprecated Cut the text in the plugin.
 */
export function truncateUtf8Prefix(text: string, most: number): string {
  const bytes = Buffer.from(text, "utf8");
  if (bytes.byteLength <= most) return text;
  return bytes
    .subarray(0, Math.max(0, most))
    .toString("utf8")
    .replace(/\ufffd+$/, "");
}

/**
 * Escapes a text for use in a regular expression.
 * @deprecated Use `RegExp.escape` where it exists.
 */
export function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
