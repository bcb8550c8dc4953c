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
