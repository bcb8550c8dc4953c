import { textChunks } from "@openclaw/messaging";

/** Rule by which a text is divided: by length only, or at each paragraph first. */
export type ChunkMode = "length" | "newline";

/**
 * Divides a text into chunks, at breaks between paragraphs, lines or words; code fences are closed and opened again.
 * @param text - text to divide
 * @param limit - maximum UTF-16 code units of a chunk; no limit when it is below 2
 */
export function chunkText(text: string, limit: number): string[] {
  if (text === "") return [];
  return [...textChunks(text, limit >= 2 ? Math.floor(limit) : undefined)];
}

/**
 * Divides a text at its paragraphs, and longer paragraphs as {@link chunkText}.
 * @param text - text to divide
 * @param limit - maximum UTF-16 code units of a chunk
 */
export function chunkByParagraph(text: string, limit: number): string[] {
  return paragraphsOf(text).flatMap((paragraph) => chunkText(paragraph, limit));
}

/**
 * Divides a text by a mode.
 * @param text - text to divide
 * @param limit - maximum UTF-16 code units of a chunk
 * @param mode - `newline` divides at each paragraph
 */
export function chunkTextWithMode(text: string, limit: number, mode: ChunkMode): string[] {
  return mode === "newline" ? chunkByParagraph(text, limit) : chunkText(text, limit);
}

/** A paragraph ends at an empty line outside of code. */
function paragraphsOf(text: string): readonly string[] {
  const paragraphs: string[] = [];
  const lines: string[] = [];
  let isCode = false;
  for (const line of text.split("\n")) {
    if (/^\s*(?:```|~~~)/.test(line)) isCode = !isCode;
    if (line.trim() !== "" || isCode) lines.push(line);
    else if (lines.length > 0) paragraphs.push(lines.splice(0).join("\n"));
  }
  return lines.length === 0 ? paragraphs : [...paragraphs, lines.join("\n")];
}
