import type { MemoryDatabase } from "../database/memory-database.js";
import { type Candidate, type CandidateRow, candidateColumns } from "./candidate.js";
import type { Condition } from "./filter.js";
import { matchExpression } from "./match-expression.js";
import type { QueryTerm } from "./query-terms.js";

/** A common term is counted up to this number of chunks. */
const COUNTED = 10_000;
/** The title of a chunk counts more than its text. */
const TITLE_WEIGHT = 2;

/** A term with its weight: rare terms say more about what is meant. */
export interface WeightedTerm extends QueryTerm {
  /** Number of chunks with the term, of all owners. */
  readonly count: number;
  readonly weight: number;
}

/**
 * Counts the chunks with each term.
 * @param database - the memory's database
 * @param terms - terms of the query
 */
export async function weighTerms(
  database: MemoryDatabase,
  terms: readonly QueryTerm[],
): Promise<WeightedTerm[]> {
  const [newest] = await database.query<{ total: number | null }>(
    "select max(id) as total from chunks",
  );
  const total = Math.max(newest?.total ?? 0, 1);
  const condition =
    database.dialect === "sqlite"
      ? "chunk_text match $1"
      : "words @@ plainto_tsquery('english', $1)";
  const weighted: WeightedTerm[] = [];
  for (const term of terms) {
    const value = database.dialect === "sqlite" ? quoted(term.word) : term.word;
    const [row] = await database.query<{ count: number }>(
      `select count(*) as count from (select 1 from chunk_text where ${condition} limit ${COUNTED}) as found`,
      [value],
    );
    const count = row?.count ?? 0;
    weighted.push({ ...term, count, weight: Math.log(1 + total / (count + 0.5)) });
  }
  return weighted;
}

/**
 * Finds the chunks with phrases or terms, best first.
 * @param database - the memory's database
 * @param search - phrases, terms, owner, filter, and maximum number of chunks
 */
export async function searchText(
  database: MemoryDatabase,
  search: {
    /** Phrases that match alone. */
    readonly phrases: readonly string[];
    readonly terms: readonly WeightedTerm[];
    /** Share of the weight of the terms that a hit needs, from 0 to 1. */
    readonly share: number;
    readonly owner: number;
    readonly filter: Condition;
    readonly limit: number;
  },
): Promise<Candidate[]> {
  const { phrases, share, owner, filter, limit } = search;
  const terms = search.terms.filter(({ count }) => count > 0);
  const words = [...phrases, ...terms.map(({ word }) => word)];
  if (words.length === 0 || !database.hasFullText) return [];
  const rows =
    database.dialect === "sqlite"
      ? await database.query<CandidateRow & { evidence: number }>(
          // Only the best chunks are joined with their documents, unless the filter needs them.
          `with best as (
              select c.id as found, -bm25(chunk_text, ${TITLE_WEIGHT}.0, 1.0) as evidence
                from chunk_text join chunks c on c.id = chunk_text.rowid
                ${filter.sql === "" ? "" : "join documents d on d.id = c.document"}
                where chunk_text match $1 and c.owner = $2${filter.sql}
                order by evidence desc, c.id desc limit ${limit}
            )
            select ${candidateColumns(database.time)}, b.evidence from best b
              join chunks c on c.id = b.found
              join documents d on d.id = c.document
              order by b.evidence desc, d.updated_at desc, c.id`,
          [
            [
              ...phrases.map(quoted),
              ...(terms.length === 0 ? [] : [matchExpression(terms, share, quoted)]),
            ].join(" OR "),
            owner,
            ...filter.params,
          ],
        )
      : await database.query<CandidateRow & { evidence: number }>(
          // `plainto_tsquery` joins the terms by AND, but a query rarely has only words of its answer.
          `with asked as (
              select replace(plainto_tsquery('english', $1)::text, '&', '|')::tsquery as terms
            )
            select ${candidateColumns(database.time)}, ts_rank_cd(t.words, asked.terms) as evidence
            from chunk_text t cross join asked
            join chunks c on c.id = t.chunk
            join documents d on d.id = c.document
            where t.words @@ asked.terms and c.owner = $2${filter.sql}
            order by evidence desc, d.updated_at desc, c.id limit ${limit}`,
          [words.join(" "), owner, ...filter.params],
        );
  return rows.map((row, index) => ({ ...row, rank: index + 1 }));
}

/** A string of FTS5, in which nothing is an operator (MEM-016). */
function quoted(word: string): string {
  return `"${word.replaceAll('"', '""')}"`;
}
