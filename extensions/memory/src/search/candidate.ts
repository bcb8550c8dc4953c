/** Row of a chunk that a search found. */
export interface CandidateRow {
  readonly chunk: number;
  readonly document: string;
  readonly text: string;
  readonly position: number;
  readonly path: string;
  readonly updated_at: string;
  readonly event_date: string | null;
}

/** A chunk that one of the two searches found. */
export interface Candidate extends CandidateRow {
  /** Position in the result of the search, from 1. */
  readonly rank: number;
  /** Similarity of the vector search, or weight of the full-text search. */
  readonly evidence: number;
}

/** Columns of a {@link CandidateRow}, of the chunks `c` and documents `d`. */
export function candidateColumns(time: (column: string) => string): string {
  return `c.id as chunk, c.document, c.text, c.position, d.path, ${time("d.updated_at")} as updated_at, d.event_date`;
}
