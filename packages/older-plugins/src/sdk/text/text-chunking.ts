import { chunkTextWithMode, chunkText as divide } from "../../channels/text/chunks.js";

export { convertMarkdownTables } from "./markdown-table-runtime.js";
export { sanitizeForPlainText } from "./text-runtime.js";

/**
 * Divides a text into chunks, at breaks between paragraphs, lines or words; code fences are closed and opened again.
 * @param text - text to divide
 * @param limit - maximum UTF-16 code units of a chunk
 * @deprecated The host divides the replies of a `Channel` by `capabilities.textLimit`.
 */
export function chunkTextForOutbound(text: string, limit: number): string[] {
  return divide(text, limit);
}

/**
 * Divides a text into chunks, like {@link chunkTextForOutbound}.
 * @param text - text to divide
 * @param limit - maximum UTF-16 code units of a chunk
 * @deprecated The host divides the replies of a `Channel` by `capabilities.textLimit`.
 */
export function chunkMarkdownText(text: string, limit: number): string[] {
  return divide(text, limit);
}

/**
 * Divides a text into chunks, like {@link chunkTextForOutbound}.
 * @param text - text to divide
 * @param limit - maximum UTF-16 code units of a chunk
 * @param mode - `newline` divides at each paragraph
 * @deprecated The host divides the replies of a `Channel` by `capabilities.textLimit`.
 */
export function chunkMarkdownTextWithMode(
  text: string,
  limit: number,
  mode: "length" | "newline",
): string[] {
  return chunkTextWithMode(text, limit, mode);
}
