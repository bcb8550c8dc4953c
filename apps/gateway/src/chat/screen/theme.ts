import type { EditorTheme, MarkdownTheme, SelectListTheme } from "@earendil-works/pi-tui";
import { createColors } from "picocolors";
import { highlighted } from "./highlight.js";

/** Colours of the chat, which is shown only at a terminal that wants them. */
export const colors: ReturnType<typeof createColors> = createColors(true);

const selectListTheme: SelectListTheme = {
  selectedPrefix: colors.cyan,
  selectedText: colors.cyan,
  description: colors.dim,
  scrollInfo: colors.dim,
  noMatch: colors.dim,
};

/** Colours of the editor. */
export const editorTheme: EditorTheme = {
  borderColor: colors.dim,
  selectList: selectListTheme,
};

/** Colours of Markdown. */
export const markdownTheme: MarkdownTheme = {
  heading: (text) => colors.bold(colors.cyan(text)),
  link: colors.blue,
  linkUrl: colors.dim,
  code: colors.yellow,
  codeBlock: (text) => text,
  // Code that is copied from the terminal has the indentation that the model wrote.
  codeBlockIndent: "",
  codeBlockBorder: colors.dim,
  quote: colors.italic,
  quoteBorder: colors.dim,
  hr: colors.dim,
  listBullet: colors.cyan,
  bold: colors.bold,
  italic: colors.italic,
  strikethrough: colors.strikethrough,
  underline: colors.underline,
  highlightCode: highlighted,
};
