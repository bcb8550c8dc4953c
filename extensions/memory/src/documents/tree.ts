import { InvalidParameterError } from "../errors.js";
import type { DocumentSummary, FolderEntry } from "./document.js";

/** Number of levels that a tree shows. */
export const DEFAULT_DEPTH = 3;
/** Maximum number of levels. */
export const MAXIMUM_DEPTH = 10;

/**
 * Returns the entries of a folder (MEM-005).
 * @param documents - documents whose paths begin with the folder
 * @param folder - normalised path of the folder; the root is empty
 * @param depth - number of levels, from 1 to 10
 * @throws InvalidParameterError for another depth
 */
export function treeOf(
  documents: readonly DocumentSummary[],
  folder: string,
  depth: number = DEFAULT_DEPTH,
): FolderEntry[] {
  if (!Number.isInteger(depth) || depth < 1 || depth > MAXIMUM_DEPTH) {
    throw new InvalidParameterError(
      "depth",
      `expected a whole number from 1 to ${MAXIMUM_DEPTH}, got ${depth}`,
    );
  }
  return childrenOf(documents, folder === "" ? "" : `${folder}/`, depth);
}

function childrenOf(
  documents: readonly DocumentSummary[],
  prefix: string,
  depth: number,
): FolderEntry[] {
  const entries: FolderEntry[] = [];
  const folders = new Map<string, DocumentSummary[]>();
  for (const document of documents) {
    const rest = document.path.slice(prefix.length);
    const slash = rest.indexOf("/");
    if (slash === -1) {
      const { path, bytes, updatedAt } = document;
      entries.push({ name: rest, path, kind: "document", bytes, updatedAt });
      continue;
    }
    const name = rest.slice(0, slash);
    const inside = folders.get(name) ?? [];
    inside.push(document);
    folders.set(name, inside);
  }
  for (const [name, inside] of folders) {
    entries.push({
      name,
      path: `${prefix}${name}`,
      kind: "folder",
      bytes: inside.reduce((sum, { bytes }) => sum + bytes, 0),
      updatedAt:
        inside
          .map(({ updatedAt }) => updatedAt)
          .sort()
          .at(-1) ?? "",
      documents: inside.length,
      ...(depth > 1 ? { children: childrenOf(inside, `${prefix}${name}/`, depth - 1) } : {}),
    });
  }
  return entries.sort((a, b) => (a.path < b.path ? -1 : 1));
}
