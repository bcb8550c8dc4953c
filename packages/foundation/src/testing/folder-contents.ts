import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A file with its content. */
interface FileContent {
  readonly name: string;
  readonly content: Buffer;
}

/**
 * Reads all files in a folder and its folders. A running host replaces files: one that is gone when its turn comes is left
 * out, because another name has its content.
 * @param folder - path
 */
export function folderContents(folder: string): FileContent[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => {
    if (!entry.isFile()) return [];
    try {
      return [{ name: entry.name, content: readFileSync(join(entry.parentPath, entry.name)) }];
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
      throw error;
    }
  });
}
