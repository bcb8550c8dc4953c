import { stripVTControlCharacters } from "node:util";
import { decodeKittyPrintable } from "@earendil-works/pi-tui";

/** Beginning and end of a paste, as terminals mark them. */
export const PASTE = "\u001b[200~";
const END = "\u001b[201~";
/** Mark of a tab in the editor, which would replace the tab itself with spaces. */
const TAB_MARK = "\u2409";

/**
 * Returns a paste as the editor takes it: without the control sequences that a copy from a terminal can contain, and
 * with marks for its tabs.
 * @param data - paste with the marks of its beginning and end
 * @param replace - returns the text for the editor
 */
export function pastedText(data: string, replace: (text: string) => string): string {
  const [text = ""] = data.slice(PASTE.length).split(END);
  return `${PASTE}${withTabMarks(replace(stripVTControlCharacters(text)))}${END}`;
}

/**
 * Returns text for the editor, with marks instead of tabs.
 * @param text - text with tabs
 */
export function withTabMarks(text: string): string {
  return text.replaceAll("\t", TAB_MARK);
}

/**
 * Returns text of the editor with its tabs.
 * @param text - text with marks
 */
export function withTabs(text: string): string {
  return text.replaceAll(TAB_MARK, "\t");
}

/**
 * Returns the text of a key or a paste.
 * @param data - input as the terminal sends it
 * @returns undefined for a key without text
 */
export function typedText(data: string): string | undefined {
  if (data.startsWith(PASTE)) return data;
  const text = decodeKittyPrintable(data) ?? data;
  return /^[^\p{Cc}\p{Cs}]+$/u.test(text) ? text : undefined;
}

/**
 * Returns a paste without the marks of its beginning and end, in one line; other text as it is.
 * @param text - typed text, or a paste as the terminal sends it
 */
export function withoutPasteMarks(text: string): string {
  if (!text.startsWith(PASTE)) return text;
  const [pasted = ""] = text.slice(PASTE.length).split(END);
  return stripVTControlCharacters(pasted).replaceAll(/\s*\n\s*/g, " ");
}
