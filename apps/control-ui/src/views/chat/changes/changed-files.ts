import { changeOfArguments } from "@openclaw/client/conversation";
import { readDiff } from "../../../components/diff-lines.js";
import { callKey, type Item, type ToolPart } from "../log/item.js";

/** Call that undoes a change of a file. */
export interface Inverse {
  readonly tool: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** Change of a file that a call made. */
export interface FileChange {
  /** Key of the call. */
  readonly key: string;
  readonly tool: string;
  readonly diff: string;
  /** Undefined where the arguments do not have the text before the change. */
  readonly inverse: Inverse | undefined;
}

/** Changes of one file, oldest first. */
export interface ChangedFile {
  readonly path: string;
  readonly changes: readonly FileChange[];
}

/**
 * Returns what the calls of a conversation changed, by file.
 * @param items - entries of the conversation
 */
export function changedFiles(items: readonly Item[]): readonly ChangedFile[] {
  const files = new Map<string, FileChange[]>();
  const contents = new Map<string, string>();
  for (const item of items) {
    if (item.kind !== "reply") continue;
    for (const part of item.parts.value) {
      if (part.kind !== "tool" || part.state.value.status !== "ok") continue;
      const change = changeOfArguments(part.params);
      if (change === undefined) continue;
      const diff = change.diff.startsWith("+++ ") ? `--- /dev/null\n${change.diff}` : change.diff;
      const key = callKey(item.runId, part.id);
      const own = { key, tool: part.name, diff, inverse: inverseOf(part, contents) };
      for (const path of pathsOf(part.params, diff)) {
        // A file as it was before is not written over what changed it since.
        const before = (files.get(path) ?? []).map(withoutWhole);
        files.set(path, [...before, own]);
      }
      keepContent(part, contents);
    }
  }
  return [...files].map(([path, changes]) => ({ path, changes }));
}

/** Returns the call that replaces the new text of an edit by the old one, or a whole file by its earlier text. */
function inverseOf(
  { name, params }: ToolPart,
  contents: ReadonlyMap<string, string>,
): Inverse | undefined {
  if (typeof params !== "object" || params === null) return undefined;
  const {
    path,
    content,
    old_string: before,
    new_string: after,
    replace_all: isAll,
  } = Object(params);
  if (typeof path !== "string") return undefined;
  if (typeof content === "string") {
    const earlier = contents.get(path);
    return earlier === undefined ? undefined : { tool: name, params: { path, content: earlier } };
  }
  const isEdit = [before, after].every((value) => typeof value === "string");
  // An edit that deleted a text does not say where it was, and one that replaced all may have made equal texts.
  if (!isEdit || after === "" || isAll === true) return undefined;
  return { tool: name, params: { path, old_string: after, new_string: before } };
}

function withoutWhole(change: FileChange): FileChange {
  return change.inverse?.params.content === undefined ? change : { ...change, inverse: undefined };
}

/** Keeps the text that a file has after a call, as far as the conversation has it. */
function keepContent({ params }: ToolPart, contents: Map<string, string>): void {
  const {
    path,
    content,
    old_string: before,
    new_string: after,
    replace_all: isAll,
  } = Object(params);
  if (typeof path !== "string") {
    // A patch names its files in its text.
    contents.clear();
    return;
  }
  if (typeof content === "string") {
    contents.set(path, content);
    return;
  }
  const known = contents.get(path);
  const parts = typeof before === "string" && before !== "" ? known?.split(before) : undefined;
  if (parts === undefined || typeof after !== "string" || (parts.length !== 2 && isAll !== true)) {
    contents.delete(path);
    return;
  }
  contents.set(path, parts.join(after));
}

function pathsOf(params: unknown, diff: string): readonly string[] {
  const { path, file_path: filePath } = Object(params);
  const named: unknown = path ?? filePath;
  if (typeof named === "string") return [named];
  const headers = [...diff.matchAll(/^\*\*\* (?:Add|Update|Delete) File: (.+)$/gm)];
  const inPatch = headers.map(([, name = ""]) => name.trim());
  const found = inPatch.length > 0 ? inPatch : readDiff(diff).map((file) => file.path);
  return [...new Set(found)];
}
