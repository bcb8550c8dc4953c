import { ToolRefusalError } from "../errors.js";

/** A place in a file that changes. */
export interface PatchHunk {
  /** Lines after which it is looked for, outermost first; from `@@` lines. */
  readonly anchors: readonly string[];
  /** Lines that must be there: kept and removed ones. */
  readonly before: readonly string[];
  /** Lines that replace them. */
  readonly after: readonly string[];
  /** True if `before` must be the end of the file. */
  readonly atEnd: boolean;
}

/** Change of one file in a patch. */
export type FilePatch =
  | { readonly kind: "add"; readonly path: string; readonly lines: readonly string[] }
  | { readonly kind: "delete"; readonly path: string }
  | {
      readonly kind: "update";
      readonly path: string;
      /** New path of a moved file. */
      readonly movedTo?: string | undefined;
      readonly hunks: readonly PatchHunk[];
    };

const BEGIN = "*** Begin Patch";
const END = "*** End Patch";
const END_OF_FILE = "*** End of File";
const FILE = /^\*\*\* (Add|Update|Delete) File: (.+)$/;
const MOVE = /^\*\*\* Move to: (.+)$/;

/**
 * Reads a patch of one or more files.
 * @param input - between `*** Begin Patch` and `*** End Patch` a part per file: `*** Add File: <path>` with
 * `+` lines, `*** Delete File: <path>`, or `*** Update File: <path>`, optionally `*** Move to: <path>`, and
 * hunks of ` `, `-` and `+` lines, each after `@@` and optionally a line to look behind
 * @throws ToolRefusalError with the number of the line that cannot be read
 */
export function parsePatch(input: string): readonly FilePatch[] {
  const lines = input.replace(/\r\n/g, "\n").trim().split("\n");
  if (lines[0]?.trim() !== BEGIN) throw unreadable(1, `it must be "${BEGIN}"`);
  if (lines.at(-1)?.trim() !== END) throw unreadable(lines.length, `it must be "${END}"`);
  const reader = new PatchReader(lines.slice(0, -1));
  const files: FilePatch[] = [];
  while (!reader.atEnd) files.push(readFile(reader));
  if (files.length === 0)
    throw unreadable(2, `a part such as "*** Update File: <path>" is missing`);
  return files;
}

/** Reads a patch line by line. */
class PatchReader {
  readonly #lines: readonly string[];
  #next = 1;

  constructor(lines: readonly string[]) {
    this.#lines = lines;
  }

  get atEnd(): boolean {
    return this.#next >= this.#lines.length;
  }

  /** Takes the next line if it is wanted. */
  take(isWanted: (line: string) => boolean): string | undefined {
    const line = this.#lines[this.#next];
    if (line === undefined || !isWanted(line)) return undefined;
    this.#next += 1;
    return line;
  }

  refusal(expected: string): ToolRefusalError {
    return unreadable(this.#next + 1, expected);
  }
}

function readFile(reader: PatchReader): FilePatch {
  const [, kind, path = ""] = FILE.exec(reader.take((line) => FILE.test(line)) ?? "") ?? [];
  switch (kind) {
    case "Add":
      return { kind: "add", path, lines: readAdded(reader) };
    case "Delete":
      return { kind: "delete", path };
    case "Update": {
      const move = MOVE.exec(reader.take((line) => MOVE.test(line)) ?? "")?.[1];
      const hunks = readHunks(reader);
      if (hunks.length === 0 && move === undefined) {
        throw reader.refusal(`"${path}" needs a hunk of lines that begin with a space, - or +`);
      }
      return { kind: "update", path, hunks, movedTo: move };
    }
    default:
      throw reader.refusal('expected "*** Add File: ", "*** Update File: " or "*** Delete File: "');
  }
}

function readAdded(reader: PatchReader): string[] {
  const lines: string[] = [];
  const next = () => reader.take((candidate) => candidate.startsWith("+"));
  for (let line = next(); line !== undefined; line = next()) lines.push(line.slice(1));
  return lines;
}

function readHunks(reader: PatchReader): PatchHunk[] {
  const hunks: PatchHunk[] = [];
  for (;;) {
    const anchors: string[] = [];
    const isAnchor = (line: string) => line === "@@" || line.startsWith("@@ ");
    for (let line = reader.take(isAnchor); line !== undefined; line = reader.take(isAnchor)) {
      const anchor = line.slice(3);
      // The line numbers of a unified diff repeat the information of its lines.
      if (anchor !== "" && !/^-\d+(?:,\d+)? \+\d+(?:,\d+)? @@/.test(anchor)) anchors.push(anchor);
    }
    const hunk = readHunk(reader, anchors);
    if (hunk !== undefined) hunks.push(hunk);
    else if (anchors.length > 0) throw reader.refusal("a line that begins with a space, - or +");
    else return hunks;
  }
}

function readHunk(reader: PatchReader, anchors: readonly string[]): PatchHunk | undefined {
  const before: string[] = [];
  const after: string[] = [];
  let changes = 0;
  let blank = 0;
  // Models leave out the space of an empty line.
  const isHunkLine = (line: string) => line === "" || /^[ +-]/.test(line);
  for (let line = reader.take(isHunkLine); line !== undefined; line = reader.take(isHunkLine)) {
    const text = line.slice(1);
    if (!line.startsWith("+")) before.push(text);
    if (!line.startsWith("-")) after.push(text);
    if (/^[+-]/.test(line)) changes += 1;
    blank = line === "" ? blank + 1 : 0;
  }
  // Blank lines at the end separate the hunk from the next part.
  if (blank > 0) {
    before.splice(-blank);
    after.splice(-blank);
  }
  const atEnd = reader.take((line) => line.trim() === END_OF_FILE) !== undefined;
  if (before.length + after.length === 0) return undefined;
  if (changes === 0)
    throw reader.refusal("the hunk above must have a line that begins with - or +");
  return { anchors, before, after, atEnd };
}

function unreadable(line: number, problem: string): ToolRefusalError {
  return new ToolRefusalError(
    "invalid-value",
    `The patch cannot be read at line ${line}: ${problem}. Nothing was changed.`,
  );
}
