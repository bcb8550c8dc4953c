import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Longest text that is taken for paths; a longer one is a text. */
const LONGEST = 8192;
/** Quoted words, words with escaped characters, and other words. */
const WORD = /"((?:[^"\\]|\\.)*)"|'([^']*)'|((?:\\.|[^\s"'\\])+)/g;

/**
 * Returns the paths of a paste, as terminals write the paths of files that are copied or dropped: quoted, with escaped
 * spaces, as `file:` URLs, or one plain path with spaces.
 * @param pasted - text of the paste
 * @param folder - folder of relative paths
 * @returns the readings of the text, the most likely one first; none for a text that is not paths
 */
export function droppedPaths(pasted: string, folder: string): readonly (readonly string[])[] {
  const text = pasted.trim();
  if (text === "" || text.length > LONGEST) return [];
  const words: string[] = [];
  const rest = text.replace(WORD, (_word, double?: string, single?: string, bare?: string) => {
    words.push(single ?? (double ?? bare ?? "").replace(/\\(.)/g, "$1"));
    return "";
  });
  const plain = text.includes("\n") ? text.split("\n").map((line) => line.trim()) : [text];
  const readings = rest.trim() === "" ? [words, plain] : [plain];
  return readings.map((reading) =>
    reading.filter((word) => word !== "").map((word) => resolved(word, folder)),
  );
}

/**
 * Returns the absolute path of a path or `file:` URL.
 * @param written - as the user typed or pasted it
 * @param folder - folder of relative paths
 */
export function resolved(written: string, folder: string): string {
  if (/^file:/i.test(written)) {
    try {
      return fileURLToPath(written.replace(/^file:\/\/localhost\//i, "file:///"));
    } catch {
      return written;
    }
  }
  if (written.startsWith("~/")) return join(homedir(), written.slice(2));
  return isAbsolute(written) ? written : join(folder, written);
}
