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
    if (rest.length > room() && lines.length > 0 && !isOnlyFence(lines, fence)) flush();
    while (rest.length > room()) {
      const end = cutOf(rest, room());
      push(rest.slice(0, end).trimEnd());
      rest = fence === undefined ? rest.slice(end).trimStart() : rest.slice(end);
      flush();
    }
    push(rest);
    if (fence === undefined) {
      const mark = openedFence(line);
      if (mark !== undefined) fence = { mark, line: line.length * 4 <= limit ? line : mark };
    } else if (closes(line, fence.mark)) {
      fence = undefined;
    }
  }
  fence = undefined;
  if (lines.length > 0) finish(lines, []);
  return parts;
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
  const isInsideCharacter = /[\ud800-\udbff]/.test(line.charAt(most - 1));
  return isInsideCharacter ? most - 1 : most;
}
