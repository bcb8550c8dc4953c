import { createTwoFilesPatch } from "diff";

/** Lines of context around each change. */
const CONTEXT_LINES = 3;
/** Time in milliseconds for the comparison of one file. */
const COMPARISON_MS = 2000;

/** Content of a file before and after a call; undefined where it does not exist. */
export interface FileChange {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/**
 * Returns the changes of a call as a unified diff, for the person who approves it.
 * @param changes - changed files
 */
export function previewChanges(changes: readonly FileChange[]): string {
  return changes.map(diffOf).join("");
}

function diffOf({ path, before, after }: FileChange): string {
  const from = before === undefined ? "/dev/null" : `a/${path}`;
  const to = after === undefined ? "/dev/null" : `b/${path}`;
  const patch = createTwoFilesPatch(from, to, before ?? "", after ?? "", undefined, undefined, {
    context: CONTEXT_LINES,
    timeout: COMPARISON_MS,
    headerOptions: { includeIndex: false, includeUnderline: false, includeFileHeaders: true },
  });
  if (patch !== undefined) return patch;
  // The texts have too little in common to be compared in time.
  return `--- ${from}\n+++ ${to}\n@@ every line is replaced @@\n${signed("-", before)}${signed("+", after)}`;
}

function signed(sign: string, text: string | undefined): string {
  if (text === undefined || text === "") return "";
  const lines = text.replace(/\n$/, "").split("\n");
  return lines.map((line) => `${sign}${line}\n`).join("");
}
