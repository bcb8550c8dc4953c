import { open } from "node:fs/promises";

/** Largest file that becomes a document, in bytes. */
export const LARGEST_FILE = 16 * 1024 * 1024;

/** Text of a file, or the reason why it cannot become a document. */
export type TextFile = { readonly text: string } | { readonly problem: string };

/**
 * Reads a file that should contain text.
 * @param file - path on disk; not followed when it is a link
 */
export async function readTextFile(file: string): Promise<TextFile> {
  try {
    const handle = await open(file, "r");
    try {
      const found = await handle.stat();
      if (!found.isFile()) return { problem: "it is not a file" };
      if (found.size > LARGEST_FILE) {
        return {
          problem: `it has ${found.size} bytes, and a document at most ${LARGEST_FILE}; divide it`,
        };
      }
      const bytes = await handle.readFile();
      // It may have grown since its size was read.
      if (bytes.length > LARGEST_FILE) return { problem: "it grew while it was read" };
      if (bytes.includes(0)) return { problem: "it is binary, not text" };
      return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (error instanceof TypeError) return { problem: "its text is not valid UTF-8" };
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    return {
      problem:
        code === "ENOENT" ? "it was renamed or removed meanwhile" : `it cannot be read: ${code}`,
    };
  }
}
