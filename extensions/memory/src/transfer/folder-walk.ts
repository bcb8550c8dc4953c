import { readdir } from "node:fs/promises";
import { join } from "node:path";

const TEXT_FILE = /\.(?:md|markdown|txt)$/i;
const SKIPPED = new Set(["node_modules"]);

/**
 * Returns true for a file that becomes a document.
 * @param path - path relative to the folder, with slashes
 */
export function isDocumentFile(path: string): boolean {
  const parts = path.split("/");
  return TEXT_FILE.test(path) && !parts.some((part) => part.startsWith(".") || SKIPPED.has(part));
}

/**
 * Yields the Markdown and text files in a folder and below it, in the order of their names. Hidden files and links are
 * left out.
 * @param root - path of the folder
 * @param folder - relative path of the part to walk; the whole folder when empty
 * @returns relative paths with slashes
 */
export async function* walkFolder(root: string, folder = ""): AsyncGenerator<string> {
  const entries = await readdir(join(root, folder), { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (entry.name.startsWith(".") || SKIPPED.has(entry.name)) continue;
    if (entry.isDirectory()) yield* walkFolder(root, path);
    else if (entry.isFile() && isDocumentFile(path)) yield path;
  }
}
