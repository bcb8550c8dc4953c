import { globSync } from "node:fs";
import { basename, dirname } from "node:path";

/**
 * Folders whose files are data or generated code, not code that someone reads in one list: generated entry points,
 * and inputs of tests (plugins, commands, recordings) that are one file per case.
 */
const DATA_FOLDERS =
  /\/(?:cases|corpus|vectors|children|releases|recordings|histories|plugins\/faults)(?:\/|$)|^apps\/gateway\/src\/plugin-sdk$|^packages\/older-plugins\/src\/sdk$/;

/**
 * Returns the files of code of the workspace by folder: sources, tests and benchmarks, without data.
 * @param root - folder of the repository, absolute
 */
export function codeFolders(root: string): Map<string, string[]> {
  const folders = new Map<string, string[]>();
  for (const file of globSync("{packages,extensions,apps}/*/{src,test,bench}/**/*.*", {
    cwd: root,
    exclude: ["**/node_modules", "**/dist"],
  })) {
    const folder = dirname(file);
    if (DATA_FOLDERS.test(folder) || !/\.(?:[cm]?[jt]s|tsx|css|html)$/.test(file)) continue;
    const files = folders.get(folder) ?? [];
    folders.set(folder, [...files, basename(file)]);
  }
  return folders;
}

/**
 * Returns the first words that at least `limit` file names share, such as `plugin` of `plugin-list.ts`.
 * @param files - names of the files of one folder
 * @param limit - number of names from which a word is shared by too many
 */
export function sharedFirstWords(files: readonly string[], limit: number): string[] {
  const counts = new Map<string, number>();
  for (const file of files) {
    const [word = ""] = file.split(/[-.]/);
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts].filter(([, count]) => count >= limit).map(([word]) => word);
}
