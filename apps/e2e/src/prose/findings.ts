import type { Passage } from "./passage.js";
import type { Phrase } from "./phrases.js";

/** A phrase that was found, and what to write. */
export interface Finding {
  /** Line in its file, from 1. */
  readonly line: number;
  readonly kind: Passage["kind"];
  readonly found: string;
  readonly use: string;
}

/** Number of findings by file; a file that is not in it has none. */
export type FindingCounts = Readonly<Record<string, number>>;

/**
 * Returns the phrases that the passages of one file must not use.
 * @param passages - prose of the file
 * @param phrases - phrases to look for
 */
export function findingsIn(passages: readonly Passage[], phrases: readonly Phrase[]): Finding[] {
  return passages.flatMap(({ kind, text, line }) =>
    phrases
      .filter(({ kinds }) => kinds === undefined || kinds.includes(kind))
      .flatMap(({ pattern, use }) =>
        [...text.matchAll(pattern)].map(({ 0: found, index }) => ({
          line: line + (text.slice(0, index).match(/\n/g)?.length ?? 0),
          kind,
          found: found.replace(/\s+/g, " ").trim(),
          use,
        })),
      ),
  );
}

/**
 * Returns the files with more findings than recorded, each with both numbers.
 * @param recorded - allowed findings by file
 * @param counted - findings by file today
 */
export function grownFiles(recorded: FindingCounts, counted: FindingCounts): string[] {
  return Object.entries(counted)
    .filter(([file, count]) => count > (recorded[file] ?? 0))
    .map(([file, count]) => `${file}: ${count} findings, ${recorded[file] ?? 0} recorded`);
}

/**
 * Returns the files with fewer findings than recorded: their records must shrink.
 * @param recorded - allowed findings by file
 * @param counted - findings by file today
 */
export function shrunkFiles(recorded: FindingCounts, counted: FindingCounts): string[] {
  return Object.keys(recorded).filter((file) => (counted[file] ?? 0) < (recorded[file] ?? 0));
}
