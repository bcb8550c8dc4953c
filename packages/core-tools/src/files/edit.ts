import { defineTool, type ToolResult } from "@openclaw/plugin-sdk/tools";
import { Type } from "typebox";
import { ToolRefusalError } from "../errors.js";
import { answer } from "../result.js";
import { previewChanges } from "./change-preview.js";
import { changingApproval } from "./changing-approval.js";
import { readEditableText } from "./editable-text.js";
import {
  endsOfReplacement,
  type NormalizedText,
  normalizeLineEnds,
  withoutMark,
} from "./line-ends.js";
import { type FileVersion, openWorkspaceFile, replaceWorkspaceFile } from "./workspace-file.js";
import type { WorkspacePaths } from "./workspace-paths.js";
import { assertContentSize } from "./write.js";

const MAX_LINES_NAMED = 10;

/** Parameters that name a text in a file and its replacement. */
const editParameters = {
  path: Type.String({ minLength: 1, description: "File path." }),
  old_string: Type.String({
    minLength: 1,
    description: "Exact text, with its whitespace.",
  }),
  new_string: Type.String({ description: "New text; empty deletes it." }),
  replace_all: Type.Optional(Type.Boolean({ description: "Replace every occurrence." })),
};

/**
 * Creates the `edit` tool, which replaces one text in a file, or every occurrence of it (TURN-061). The
 * file is unchanged when the text is absent or ambiguous.
 * @param paths - the folders it may touch
 */
export function createEditTool(paths: WorkspacePaths) {
  return defineTool({
    name: "edit",
    label: "Edit file",
    description:
      "Replace a text in a file. old_string must occur once: add adjacent lines, or set replace_all. Read the file first.",
    parameters: Type.Object(editParameters, { additionalProperties: false }),
    approval: ({ path }) => changingApproval(paths, () => [path]),
    preview: (params) => previewEdit(paths, params),
    execute: (_id, params) =>
      answer(`edit "${params.path}"`, async () => await editFile(paths, params)),
  });
}

/** A text in a file and its replacement. */
export interface FileEdit {
  /** As the caller wrote it. */
  readonly path: string;
  readonly old_string: string;
  readonly new_string: string;
  readonly replace_all?: boolean | undefined;
}

/** Result of an edit, for clients. */
export interface EditDetails {
  path: string;
  replacements: number;
}

/** An edit that can be applied. */
interface PlannedEdit {
  readonly realPath: string;
  readonly version: FileVersion;
  readonly before: string;
  readonly after: string;
  /** Line numbers at which the text is replaced. */
  readonly lines: readonly number[];
}

/**
 * Replaces a text in a file.
 * @param paths - the boundary
 * @param edit - the text and its replacement
 * @throws ToolRefusalError when the text is absent, ambiguous or equal to its replacement; the file is
 *   unchanged
 */
export async function editFile(
  paths: WorkspacePaths,
  edit: FileEdit,
): Promise<ToolResult<EditDetails>> {
  const { realPath, version, after, lines } = await planEdit(paths, edit);
  await replaceWorkspaceFile(paths, edit.path, after, { expected: version });
  const shown = await paths.display(realPath);
  const text = `Replaced ${times(lines.length)} in ${shown} (${lineList(lines)}).`;
  return {
    content: [{ type: "text", text }],
    details: { path: realPath, replacements: lines.length },
  };
}

/**
 * Returns an edit as a unified diff.
 * @param paths - the boundary
 * @param edit - the text and its replacement
 * @throws ToolRefusalError when the edit cannot be applied
 */
export async function previewEdit(paths: WorkspacePaths, edit: FileEdit): Promise<string> {
  await paths.resolve(edit.path);
  const { before, after } = await planEdit(paths, edit);
  return previewChanges([{ path: edit.path, before, after }]);
}

async function planEdit(
  paths: WorkspacePaths,
  { path, old_string, new_string, replace_all = false }: FileEdit,
): Promise<PlannedEdit> {
  const file = await openWorkspaceFile(paths, path);
  const before = await readEditableText(path, file);
  const edit = searchable(before, { oldText: old_string, newText: new_string });
  const lines = linesOfMatches(edit.text, edit.oldText);
  assertReplaceable(path, lines, edit, replace_all);
  const after = edit.apply();
  assertContentSize(path, after);
  return { realPath: file.realPath, version: file.version, before, after, lines };
}

interface Edit {
  readonly oldText: string;
  readonly newText: string;
}

/** An edit together with the text in which its old text is searched. */
interface SearchableEdit extends Edit {
  readonly text: string;
  /** Returns the file after the replacement of every occurrence. */
  readonly apply: () => string;
}

/**
 * Ignores the difference between line ends, and a byte order mark that the caller copied. An old text with a
 * lone `\r` that is not found in this way is searched literally, so that line ends can be converted.
 */
function searchable(raw: string, given: Edit): SearchableEdit {
  const file = normalizeLineEnds(raw);
  const marked = withoutMark(given.oldText) !== given.oldText && withoutMark(given.oldText) !== "";
  const plain = (text: string) => file.normalize(marked ? withoutMark(text) : text);
  const oldText = plain(given.oldText);
  const newText = plain(given.newText);
  if (!file.text.includes(oldText) && raw.includes(given.oldText)) {
    const apply = () => raw.split(given.oldText).join(given.newText);
    return { ...given, text: raw, apply };
  }
  const apply = () =>
    file.ends.length === 0
      ? file.mark +
        file.text.split(oldText).join(marked ? withoutMark(given.newText) : given.newText)
      : replaceAll(file, oldText, newText);
  return { oldText, newText, text: file.text, apply };
}

/** Replaces every occurrence; each replacement takes the line ends of its place. */
function replaceAll({ mark, text, ends }: NormalizedText, oldText: string, newText: string) {
  const before = oldText.split("\n");
  const after = newText.split("\n");
  let line = 0;
  const unchanged = (part: string) => part.replaceAll("\n", () => ends[line++] ?? "\n");
  const replacement = () => {
    const until = line + before.length - 1;
    const around = ends[until] ?? ends.at(-1) ?? "\n";
    const newEnds = endsOfReplacement(before, ends.slice(line, until), after, around);
    line = until;
    return after.map((part, index) => part + (index < after.length - 1 ? newEnds[index] : ""));
  };
  const [first = "", ...rest] = text.split(oldText);
  const parts = [mark, unchanged(first)];
  for (const part of rest) parts.push(...replacement(), unchanged(part));
  return parts.join("");
}

/** Returns the line numbers, from 1, at which the text begins; occurrences do not overlap. */
function linesOfMatches(text: string, wanted: string): number[] {
  const lines: number[] = [];
  let line = 1;
  let counted = 0;
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) {
    for (; counted < at; counted += 1) if (text[counted] === "\n") line += 1;
    lines.push(line);
  }
  return lines;
}

function assertReplaceable(
  path: string,
  lines: readonly number[],
  { oldText, newText }: Edit,
  replaceAll: boolean,
): void {
  if (lines.length === 0) {
    throw new ToolRefusalError(
      "no-match",
      `old_string does not occur in "${path}"; the file is unchanged. Read it and copy the text exactly, with its whitespace.`,
    );
  }
  if (lines.length > 1 && !replaceAll) {
    throw new ToolRefusalError(
      "ambiguous",
      `old_string occurs ${times(lines.length)} in "${path}" (${lineList(lines)}); the file is unchanged. Add adjacent lines to make it unique, or set replace_all.`,
    );
  }
  if (oldText === newText) {
    throw new ToolRefusalError(
      "invalid-value",
      `old_string and new_string are the same (line ends are kept), so "${path}" would not change. Give the text it should become.`,
    );
  }
}

function times(count: number): string {
  return count === 1 ? "1 time" : `${count} times`;
}

function lineList(lines: readonly number[]): string {
  const named = [...new Set(lines)];
  const shown = named.slice(0, MAX_LINES_NAMED).join(", ");
  const more = named.length > MAX_LINES_NAMED ? ", …" : "";
  return `${named.length === 1 ? "line" : "lines"} ${shown}${more}`;
}
