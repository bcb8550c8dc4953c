/** Part of a reply: prose, or a block of code between fences, whose text is never changed. */
export interface Segment {
  readonly kind: "prose" | "code";
  /** Lines of the segment, each with its line break. */
  readonly text: string;
}

const OPENING = /^[ \t]*(?:(?:[-*+>]|\d{1,9}[.)])[ \t]+)*(`{3,}|~{3,})([^\n]*)/;

/**
 * Divides a text into prose and fenced code. A fence that is not closed reaches to the end.
 * @param text - Markdown
 * @returns segments that together are the text
 */
export function segmentsOf(text: string): Segment[] {
  const segments: { kind: Segment["kind"]; text: string }[] = [];
  let fence: string | undefined;
  const add = (kind: Segment["kind"], line: string, isNew = false) => {
    const last = segments.at(-1);
    if (last === undefined || last.kind !== kind || isNew) segments.push({ kind, text: line });
    else last.text += line;
  };
  for (const line of text.match(/[^\n]*\n|[^\n]+$/g) ?? []) {
    if (fence !== undefined) {
      add("code", line);
      if (closes(line, fence)) fence = undefined;
      continue;
    }
    fence = openedFence(line);
    add(fence === undefined ? "prose" : "code", line, fence !== undefined);
  }
  return segments;
}

/**
 * Returns the fence that a line opens.
 * @param line - one line
 */
export function openedFence(line: string): string | undefined {
  const [, fence, info = ""] = OPENING.exec(line) ?? [];
  // A line such as ```code``` is not a fence.
  return fence?.startsWith("`") && info.includes("`") ? undefined : fence;
}

/**
 * Returns true if a line closes a fence.
 * @param line - one line
 * @param fence - the fence that is open
 */
export function closes(line: string, fence: string): boolean {
  const trimmed = line.trim();
  return trimmed.length >= fence.length && trimmed === fence.charAt(0).repeat(trimmed.length);
}
