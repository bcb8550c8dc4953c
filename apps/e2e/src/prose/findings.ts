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
