/** Part of a line; a changed one differs from the line that it replaces or is replaced by. */
export interface DiffPart {
  readonly text: string;
  readonly isChanged: boolean;
}

/** Line of a difference. */
export interface DiffLine {
  readonly kind: "same" | "add" | "del" | "hunk";
  readonly before?: number | undefined;
  readonly after?: number | undefined;
  readonly parts: readonly DiffPart[];
}

/** Changed file of a difference. */
export interface DiffFile {
  readonly path: string;
  readonly added: number;
  readonly removed: number;
  readonly lines: readonly DiffLine[];
}

const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

/** Mutable form of {@link DiffFile}. */
interface OpenFile {
  path: string;
  lines: DiffLine[];
}

/**
 * Reads a unified diff. A line of another form is shown as it is, so that nothing of a change is hidden.
 * @param text - diff as the gateway sends it
 */
export function readDiff(text: string): readonly DiffFile[] {
  const files: OpenFile[] = [];
  // Lines have no numbers where no hunk says them.
  let before: number | undefined;
  let after: number | undefined;
  const current = () => {
    const last = files.at(-1) ?? { path: "", lines: [] };
    if (files.length === 0) files.push(last);
    return last;
  };
  const lines = text.replace(/\n$/, "").split("\n");
  for (const [index, line] of lines.entries()) {
    const next = lines[index + 1] ?? "";
    if (line.startsWith("--- ") && next.startsWith("+++ ")) {
      files.push({ path: pathOf(line, next), lines: [] });
      continue;
    }
    if (line.startsWith("+++ ") && lines[index - 1]?.startsWith("--- ")) continue;
    const hunk = HUNK.exec(line);
    if (hunk !== null) {
      before = Number(hunk[1]);
      after = Number(hunk[2]);
      current().lines.push({ kind: "hunk", parts: [whole(line)] });
    } else if (line.startsWith("+")) {
      current().lines.push({ kind: "add", after, parts: [whole(line.slice(1))] });
      after = following(after);
    } else if (line.startsWith("-")) {
      current().lines.push({ kind: "del", before, parts: [whole(line.slice(1))] });
      before = following(before);
    } else if (line.startsWith(" ")) {
      current().lines.push({ kind: "same", before, after, parts: [whole(line.slice(1))] });
      before = following(before);
      after = following(after);
    } else {
      current().lines.push({ kind: "hunk", parts: [whole(line)] });
    }
  }
  return files.map(({ path, lines: own }) => ({
    path,
    added: own.filter(({ kind }) => kind === "add").length,
    removed: own.filter(({ kind }) => kind === "del").length,
    lines: markWords(own),
  }));
}

function following(line: number | undefined): number | undefined {
  return line === undefined ? undefined : line + 1;
}

function pathOf(before: string, after: string): string {
  const [old = "", changed = ""] = [before, after].map((line) =>
    line
      .slice(4)
      .replace(/\t.*$/, "")
      .replace(/^[ab]\//, ""),
  );
  return changed === "/dev/null" ? old : changed;
}

function whole(text: string): DiffPart {
  return { text, isChanged: false };
}

/** Marks the words that differ, where as many lines were added as removed. */
function markWords(lines: readonly DiffLine[]): DiffLine[] {
  const marked = [...lines];
  for (let start = 0; start < lines.length; start += 1) {
    const removed = run(lines, start, "del");
    const added = run(lines, start + removed, "add");
    if (removed > 0 && removed === added) {
      for (let offset = 0; offset < removed; offset += 1) {
        const old = lines[start + offset];
        const changed = lines[start + removed + offset];
        if (old === undefined || changed === undefined) continue;
        const [oldParts, newParts] = compare(textOf(old), textOf(changed));
        marked[start + offset] = { ...old, parts: oldParts };
        marked[start + removed + offset] = { ...changed, parts: newParts };
      }
    }
    start += Math.max(0, removed + added - 1);
  }
  return marked;
}

function run(lines: readonly DiffLine[], start: number, kind: DiffLine["kind"]): number {
  let end = start;
  while (lines[end]?.kind === kind) end += 1;
  return end - start;
}

function textOf({ parts }: DiffLine): string {
  return parts.map(({ text }) => text).join("");
}

/** Compares two lines by words: what they have in common at both ends, and what is between. */
function compare(old: string, changed: string): [DiffPart[], DiffPart[]] {
  const [before, after] = [old, changed].map((text) => text.match(/\w+|\s+|[^\w\s]/gu) ?? []);
  if (before === undefined || after === undefined) return [[whole(old)], [whole(changed)]];
  const least = Math.min(before.length, after.length);
  let start = 0;
  while (start < least && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < least - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const partsOf = (words: readonly string[]) =>
    [
      whole(words.slice(0, start).join("")),
      { text: words.slice(start, words.length - end).join(""), isChanged: true },
      whole(words.slice(words.length - end).join("")),
    ].filter(({ text }) => text !== "");
  return [partsOf(before), partsOf(after)];
}
