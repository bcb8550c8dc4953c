import { characterStart } from "@openclaw/plugin-sdk/kit";
import { closes, openedFence } from "./segments.js";

/**
 * Divides a text into parts of a maximum length, between paragraphs, lines or words. A block of code that is divided is
 * closed at the end of a part and opened again in the next one.
 * @param text - Markdown or plain text
 * @param limit - maximum number of UTF-16 code units, at least 40
 */
export function splitText(text: string, limit: number): string[] {
  if (text.length <= limit) return [text];
  const parts: string[] = [];
  let lines: string[] = [];
  let length = 0;
  let fence: { readonly mark: string; readonly line: string } | undefined;
  const room = () => limit - length - (fence === undefined ? 0 : fence.mark.length + 1);
  const finish = (kept: readonly string[], rest: readonly string[]) => {
    const part = kept.join("\n").replace(/\n+$/, "");
    if (part.trim() !== "") parts.push(part);
    lines = [...rest];
    length = lines.join("\n").length + (lines.length > 0 ? 1 : 0);
  };
  const flush = () => {
    if (fence !== undefined) return finish([...lines, fence.mark], [fence.line]);
    const paragraph = lines.lastIndexOf("");
    if (paragraph > 0 && lines.slice(0, paragraph).join("\n").length * 2 > limit) {
      return finish(lines.slice(0, paragraph), lines.slice(paragraph + 1));
    }
    finish(lines, []);
  };
  const push = (line: string) => {
    lines.push(line);
    length += line.length + 1;
  };
  for (const line of text.split("\n")) {
    let rest = line;
    const mark = fence === undefined ? shortFence(line, limit) : undefined;
    // A block of code needs room to be closed.
    const needed = () => rest.length + (mark === undefined ? 0 : mark.length + 1);
    if (needed() > room() && lines.length > 0 && !isOnlyFence(lines, fence)) flush();
    while (needed() > room()) {
      const end = cutOf(rest, room() - needed() + rest.length);
      push(rest.slice(0, end).trimEnd());
      rest = fence === undefined ? rest.slice(end).trimStart() : rest.slice(end);
      flush();
    }
    push(rest);
    if (mark !== undefined) fence = { mark, line: line.length * 4 <= limit ? line : mark };
    else if (fence !== undefined && closes(line, fence.mark)) fence = undefined;
  }
  fence = undefined;
  if (lines.length > 0) finish(lines, []);
  return parts;
}

/** Returns the fence that a line opens; a very long one is treated as text, because each part would repeat it. */
function shortFence(line: string, limit: number): string | undefined {
  const mark = openedFence(line);
  return mark !== undefined && mark.length * 4 <= limit ? mark : undefined;
}

/** Returns true when a part has only the opening of a fence that was divided. */
function isOnlyFence(
  lines: readonly string[],
  fence: { readonly line: string } | undefined,
): boolean {
  return fence !== undefined && lines.length === 1 && lines[0] === fence.line;
}

/** Returns where a long line is cut: at the last space that fits, never within a character. */
function cutOf(line: string, most: number): number {
  const space = line.lastIndexOf(" ", most);
  if (space > most / 2) return space;
  return characterStart(line, most);
}
