import { ToolRefusalError } from "../errors.js";
import { endsOfReplacement, normalizeLineEnds, withoutMark } from "./line-ends.js";
import type { PatchHunk } from "./patch-document.js";

/**
 * Returns the text of a file after the hunks of a patch. Each hunk is searched after the previous one and
 * must match exactly one place; an anchor selects it. A byte order mark and the line ends of the file are
 * kept, and new lines take the line ends of their place.
 * @param path - as the caller wrote it, for messages
 * @param text - text of the file
 * @param hunks - in the order of the file
 * @throws ToolRefusalError with `no-match` or `ambiguous`, naming the hunk
 */
export function patchedText(path: string, text: string, hunks: readonly PatchHunk[]): string {
  const file = normalizeLineEnds(text);
  const endsOpen = file.text !== "" && !file.text.endsWith("\n");
  const lines = file.text === "" ? [] : file.text.split("\n");
  if (file.text !== "" && !endsOpen) lines.pop();
  const ends = lines.map((_line, index) => file.ends[index] ?? file.ends.at(-1) ?? "\n");

  const patched: string[] = [];
  let done = 0;
  const keepUntil = (end: number) => {
    for (; done < end; done += 1) patched.push(lines[done] ?? "", ends[done] ?? "");
  };
  hunks.forEach((given, index) => {
    const hunk = file.mark === "" ? given : unmarked(given, lines);
    keepUntil(placeOf(hunk, lines, done, `Hunk ${index + 1} of "${path}"`));
    const until = done + hunk.before.length;
    const around = ends[done - 1] ?? ends[done] ?? "\n";
    const newEnds = endsOfReplacement(hunk.before, ends.slice(done, until), hunk.after, around);
    hunk.after.forEach((line, offset) => {
      patched.push(line, newEnds[offset] ?? around);
    });
    done = until;
  });
  const keepsOpenEnd = endsOpen && done < lines.length;
  keepUntil(lines.length);
  if (keepsOpenEnd) patched.pop();
  return file.mark + patched.join("");
}

/** Removes the byte order mark that the first line of a hunk repeats from the file. */
function unmarked(hunk: PatchHunk, lines: readonly string[]): PatchHunk {
  const [first = "", ...before] = hunk.before;
  const plain = withoutMark(first);
  if (plain === first || plain !== lines[0]) return hunk;
  const after = hunk.after.map((line, index) => (index === 0 ? withoutMark(line) : line));
  return { ...hunk, before: [plain, ...before], after };
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
