import { stderr, stdout } from "node:process";
import { startOfText } from "@openclaw/plugin-sdk/kit";
import type { FolderEntry } from "../documents/document.js";
import type { SearchResult } from "../search/search.js";

/**
 * Prints a result: as JSON with `--json`, otherwise as text.
 * @param json - true for JSON
 * @param value - result of the command
 * @param text - lines for a person
 */
export function print(json: boolean, value: unknown, text: () => readonly string[]): void {
  stdout.write(`${json ? JSON.stringify(value, null, 2) : text().join("\n")}\n`);
}

/**
 * Prints a note on standard error, apart from the result.
 * @param text - one line
 */
export function note(text: string): void {
  stderr.write(`${text}\n`);
}

/** Characters of a hit that are shown; the whole text is in the document. */
const SHOWN_CHARACTERS = 300;

/** @param result - result of a search */
export function hitLines({ hits, notes }: SearchResult): string[] {
  const lines = hits.flatMap(({ path, text, score, similarity, fullText }) => {
    const evidence = [
      similarity === undefined ? undefined : `similarity ${similarity.toFixed(2)}`,
      fullText === undefined ? undefined : `words ${Math.round(fullText.coverage * 100)} %`,
    ].filter((part) => part !== undefined);
    const shown =
      text.length > SHOWN_CHARACTERS ? `${startOfText(text, SHOWN_CHARACTERS)} …` : text;
    return [
      `${path}  ${score.toFixed(2)}  (${evidence.join(", ")})`,
      ...shown.split("\n").map((line) => `    ${line}`),
    ];
  });
  return [
    ...(lines.length === 0 ? ["Nothing in memory matches."] : lines),
    ...notes.map((each) => `note: ${each}`),
  ];
}

/**
 * Returns the lines of a tree.
 * @param indent - spaces before each line
 */
export function treeLines(entries: readonly FolderEntry[], indent = ""): string[] {
  return entries.flatMap(({ name, kind, bytes, updatedAt, documents, children }) => {
    const changed = updatedAt.slice(0, 16).replace("T", " ");
    const count = documents === 1 ? "1 document" : `${documents} documents`;
    return kind === "document"
      ? [`${indent}${name}  ${sizeOf(bytes)}  ${changed}`]
      : [
          `${indent}${name}/  ${count}, ${sizeOf(bytes)}`,
          ...treeLines(children ?? [], `${indent}  `),
        ];
  });
}

/** @param bytes - number of bytes */
function sizeOf(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  return bytes < 1_048_576
    ? `${(bytes / 1024).toFixed(1)} KiB`
    : `${(bytes / 1_048_576).toFixed(1)} MiB`;
}
