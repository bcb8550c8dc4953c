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
  for (const item of items) {
    if (item.kind !== "reply") continue;
    for (const part of item.parts.value) {
      if (part.kind !== "tool" || part.state.value.status !== "ok") continue;
      const change = changeOfArguments(part.params);
      if (change === undefined) continue;
      const diff = change.diff.startsWith("+++ ") ? `--- /dev/null\n${change.diff}` : change.diff;
      const key = callKey(item.runId, part.id);
      const own = { key, tool: part.name, diff, inverse: inverseOf(part) };
      for (const path of pathsOf(part.params, diff)) {
        files.set(path, [...(files.get(path) ?? []), own]);
      }
    }
  }
  return [...files].map(([path, changes]) => ({ path, changes }));
}

/** Returns the call that replaces the new text of an edit by the old one. */
function inverseOf({ name, params }: ToolPart): Inverse | undefined {
  if (typeof params !== "object" || params === null) return undefined;
  const { path, old_string: before, new_string: after, replace_all: isAll } = Object(params);
  const isEdit = [path, before, after].every((value) => typeof value === "string");
  // An edit that deleted a text does not say where it was, and one that replaced all may have made equal texts.
  if (!isEdit || after === "" || isAll === true) return undefined;
  return { tool: name, params: { path, old_string: after, new_string: before } };
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
