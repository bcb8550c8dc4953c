import { ToolRefusalError } from "../errors.js";
import type { PatchHunk } from "./patch-document.js";

/**
 * Returns the text of a file after the hunks of a patch. Each hunk is searched after the previous one and
 * must match exactly one place; an anchor selects it. The file's line endings are kept.
 * @param path - as the caller wrote it, for messages
 * @param text - text of the file
 * @param hunks - in the order of the file
 * @throws ToolRefusalError with `no-match` or `ambiguous`, naming the hunk
 */
export function patchedText(path: string, text: string, hunks: readonly PatchHunk[]): string {
  const usesCrlf = text.includes("\r\n") && !/(?<!\r)\n/.test(text);
  const lineEnd = usesCrlf ? "\r\n" : "\n";
  const endsOpen = text !== "" && !text.endsWith("\n");
  const lines = text === "" ? [] : text.split(lineEnd);
  if (text !== "" && !endsOpen) lines.pop();

  const patched: string[] = [];
  let done = 0;
  hunks.forEach((hunk, index) => {
    const at = placeOf(hunk, lines, done, `Hunk ${index + 1} of "${path}"`);
    patched.push(...lines.slice(done, at), ...hunk.after);
    done = at + hunk.before.length;
  });
  patched.push(...lines.slice(done));
  const keepsOpenEnd = endsOpen && done < lines.length;
  return patched.length === 0 ? "" : patched.join(lineEnd) + (keepsOpenEnd ? "" : lineEnd);
}

function placeOf(hunk: PatchHunk, lines: readonly string[], from: number, name: string): number {
  let start = from;
  for (const anchor of hunk.anchors) {
    const at = lines.findIndex((line, index) => index >= start && isAnchor(line, anchor));
    if (at === -1) throw notThere(`${name} follows the line "${anchor}", which was not found`);
    // The anchor may be the first line of the hunk itself.
    start = hunk.before[0] === lines[at] ? at : at + 1;
  }
  if (hunk.before.length === 0)
    return hunk.anchors.length > 0 && !hunk.atEnd ? start : lines.length;

  const last = lines.length - hunk.before.length;
  const places: number[] = [];
  for (let at = hunk.atEnd ? Math.max(start, last) : start; at <= last; at += 1) {
    if (hunk.before.every((line, offset) => lines[at + offset] === line)) places.push(at);
  }
  const [first, second] = places;
  if (first === undefined) {
    throw notThere(
      `${name} does not match: its lines, starting at "${hunk.before[0]}", were not found`,
    );
  }
  if (second !== undefined && hunk.anchors.length === 0) {
    throw new ToolRefusalError(
      "ambiguous",
      `${name} matches ${places.length} places (lines ${places
        .slice(0, 5)
        .map((at) => at + 1)
        .join(", ")}); nothing was changed. Add adjacent lines, or an @@ line to look behind.`,
    );
  }
  return first;
}

function isAnchor(line: string, anchor: string): boolean {
  return line === anchor || line.trim() === anchor.trim();
}

function notThere(problem: string): ToolRefusalError {
  return new ToolRefusalError(
    "no-match",
    `${problem}; nothing was changed. Read the file and copy its lines exactly, in the order of the file.`,
  );
}
