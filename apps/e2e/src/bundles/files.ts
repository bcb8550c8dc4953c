import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Returns the files of a folder by their path.
 * @param folder - absolute path
 */
export function readFiles(folder: string): Readonly<Record<string, string>> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const texts = files.map((path) => [path.slice(folder.length + 1), readFileSync(path, "utf8")]);
  return Object.fromEntries(texts);
}
