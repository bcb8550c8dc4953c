/** Code fence of Markdown that is open. */
export interface CodeFence {
  /** Line that opens it, for example three backticks and a language. */
  readonly opening: string;
  /** Characters that close it. */
  readonly marker: string;
}

const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/;

/**
 * Returns the code fence that is open after a text.
 * @param text - part of a Markdown document, from the begin of a line
 * @param before - fence that is open before it
 */
export function fenceAfter(text: string, before: CodeFence | undefined): CodeFence | undefined {
  let open = before;
  for (const line of text.split("\n")) {
    const [, marker = "", info = ""] = FENCE.exec(line) ?? [];
    if (marker === "") continue;
    if (open === undefined) {
      // The information of a fence of backticks has no backtick; else it is code within a line.
      if (!marker.startsWith("`") || !info.includes("`")) open = { opening: line, marker };
    } else if (marker.startsWith(open.marker) && info.trim() === "") open = undefined;
  }
  return open;
}

/** Maximum length of the word that names the language of a fence. */
const LONGEST_LANGUAGE = 32;

/**
 * Returns a text in which the opening lines of code fences are short. The rest of a long line becomes the first line of
 * the code, because platforms do not show it, and each chunk of a long text would repeat it.
 * @param text - Markdown
 * @param longest - maximum length of an opening line, in characters
 */
export function withShortFences(text: string, longest: number): string {
  if (!/`{3}|~{3}/.test(text)) return text;
  const lines: string[] = [];
  let open: CodeFence | undefined;
  for (const line of text.split("\n")) {
    const next = fenceAfter(line, open);
    if (open === undefined && next !== undefined && line.length > longest) {
      const [, marker = "", info = ""] = FENCE.exec(line) ?? [];
      const [language = ""] = info.trim().split(/\s/, 1);
      const isName = language.length <= Math.min(LONGEST_LANGUAGE, longest - marker.length);
      lines.push(
        marker + (isName ? language : ""),
        info
          .trim()
          .slice(isName ? language.length : 0)
          .trim(),
      );
    } else lines.push(line);
    open = next;
  }
  return lines.join("\n");
}
