export { convertMarkdownTables } from "./markdown-table-runtime.js";
export { escapeRegExp, sliceUtf16Safe, truncateUtf16Safe } from "./text-utility-runtime.js";

/**
 * Removes the marks of Markdown from a text.
 * @param text - text in Markdown
 * @deprecated Format the text in the channel.
 */
export function stripMarkdown(text: string): string {
  return text
    .replace(/^(?:```|~~~).*$/gm, "")
    .replace(/^#{1,6}\s+/gm, "")
    .replace(/^>\s?/gm, "")
    .replace(/^\s*(?:[-*_]\s*){3,}$/gm, "")
    .replace(/!\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/\[([^\]]+)\]\([^)]*\)/g, "$1")
    .replace(/(\*\*|__)(?=\S)([\s\S]*?\S)\1/g, "$2")
    .replace(/(?<![\w*])([*_])(?=\S)([^*_\n]*?\S)\1(?![\w*])/g, "$2")
    .replace(/~~(?=\S)(.*?\S)~~/g, "$1")
    .replace(/`([^`\n]+)`/g, "$1")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

const LINE_BREAKS = /<br\s*\/?>|<\/(?:p|div|li|h[1-6])\s*>/gi;
const STYLES: readonly (readonly [RegExp, string])[] = [
  [/<(?:b|strong)\b[^>]*>([\s\S]*?)<\/(?:b|strong)\s*>/gi, "*$1*"],
  [/<(?:i|em)\b[^>]*>([\s\S]*?)<\/(?:i|em)\s*>/gi, "_$1_"],
  [/<(?:s|del|strike)\b[^>]*>([\s\S]*?)<\/(?:s|del|strike)\s*>/gi, "~$1~"],
  [/<code\b[^>]*>([\s\S]*?)<\/code\s*>/gi, "`$1`"],
  [/<li\b[^>]*>/gi, "• "],
];
const TAGS = /<\/?(?:a|p|div|span|ul|ol|h[1-6]|pre|blockquote|u|font|small|sub|sup)\b[^>]*>/gi;

/**
 * Replaces the tags of HTML that models write by plain text.
 * @param text - text with tags
 * @deprecated Format the text in the channel.
 */
export function sanitizeForPlainText(text: string): string {
  if (!text.includes("<")) return text;
  const styled = STYLES.reduce((result, [tag, plain]) => result.replace(tag, plain), text);
  return styled
    .replace(LINE_BREAKS, "\n")
    .replace(TAGS, "")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}
