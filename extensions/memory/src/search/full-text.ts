import { quotedTerm } from "../database/full-text-table.js";
import type { MemoryDatabase } from "../database/memory-database.js";
import type { Term } from "../text/terms.js";
import { type Candidate, type CandidateRow, candidateColumns } from "./candidate.js";
import type { Condition } from "./filter.js";
import { matchExpression } from "./match-expression.js";
import type { WeightedTerm } from "./query-terms.js";

/** A common term is counted up to this number of chunks. */
const COUNTED = 10_000;
/** Weights of title, text, and parts of words. */
const COLUMN_WEIGHTS = "2.0, 1.0, 0.3";
/** Weight of a part of a word, where a rare word has one of about 8. */
const PART_WEIGHT = 0.5;
/** Weight of a date that the query names. */
const PHRASE_WEIGHT = 10;
/** Share of the weight of all terms that a chunk needs, where many chunks have some of them. */
const SHARE = 0.5;
const MAXIMUM_PARTS = 48;

/** Query for the full-text table. */
export interface TextQuery {
  /** Terms that follow one another, and match alone. */
  readonly phrases: readonly (readonly string[])[];
  readonly terms: readonly WeightedTerm[];
  /** True for a search that is limited to a few documents, so that common terms may match alone. */
  readonly isNarrow: boolean;
  readonly owner: number;
  readonly filter: Condition;
  readonly limit: number;
}

/**
 * Counts the chunks with each term.
 * @param database - the memory's database
 * @param terms - terms of the query
 */
export async function weighTerms(
  database: MemoryDatabase,
  terms: readonly Term[],
): Promise<WeightedTerm[]> {
  const [newest] = await database.query<{ total: number | null }>(
    "select max(id) as total from chunks",
  );
  const total = Math.max(newest?.total ?? 0, 1);
  const isSqlite = database.dialect === "sqlite";
  const condition = isSqlite ? "chunk_terms match $1" : "words @@ $1::tsquery";
  const weighted: WeightedTerm[] = [];
  for (const term of terms) {
    const [row] = await database.query<{ count: number }>(
      `select count(*) as count from (select 1 from chunk_terms where ${condition} limit ${COUNTED}) as found`,
      [isSqlite ? quoted(term.term) : quotedTerm(term.term)],
    );
    const count = row?.count ?? 0;
    weighted.push({ ...term, count, weight: Math.log(1 + total / (count + 0.5)) });
  }
  return weighted;
}

/**
 * Finds the chunks with phrases, terms or parts of their words, best first.
 * @param database - the memory's database
 * @param query - phrases, terms, owner, filter, and maximum number of chunks
 */
export async function searchText(database: MemoryDatabase, query: TextQuery): Promise<Candidate[]> {
  const terms = query.terms.filter(({ count }) => count > 0);
  const parts = [...new Set(query.terms.flatMap((term) => term.parts))].slice(0, MAXIMUM_PARTS);
  if (terms.length + query.phrases.length + parts.length === 0 || !database.hasFullText) return [];
  const rows =
    database.dialect === "sqlite"
      ? await searchSqlite(database, query, terms, parts)
      : await searchPostgres(database, query, terms, parts);
  return rows.map((row, index) => ({ ...row, rank: index + 1 }));
}

type FoundRow = CandidateRow & { readonly evidence: number };

async function searchSqlite(
  database: MemoryDatabase,
  { phrases, isNarrow, owner, filter, limit }: TextQuery,
  terms: readonly WeightedTerm[],
  parts: readonly string[],
): Promise<readonly FoundRow[]> {
  const expression = [
    ...phrases.map((phrase) => quoted(phrase.join(" "))),
    ...(terms.length === 0 ? [] : [matchExpression(terms, isNarrow ? 0 : SHARE, quoted)]),
    ...parts.map(quoted),
  ].join(" OR ");
  // Only the best chunks are joined with their documents, unless the filter needs them.
  return await database.query<FoundRow>(
    `with best as (
        select c.id as found, -bm25(chunk_terms, ${COLUMN_WEIGHTS}) as evidence
          from chunk_terms join chunks c on c.id = chunk_terms.rowid
          ${filter.sql === "" ? "" : "join documents d on d.id = c.document"}
          where chunk_terms match $1 and c.owner = $2${filter.sql}
          order by evidence desc, c.id desc limit ${limit}
      )
      select ${candidateColumns(database.time)}, b.evidence from best b
        join chunks c on c.id = b.found
        join documents d on d.id = c.document
        order by b.evidence desc, d.updated_at desc, c.id`,
    [expression, owner, ...filter.params],
  );
}

/**
 * The rank of PostgreSQL does not know which terms are rare, so the weights of the terms that a chunk has are added to it.
 */
async function searchPostgres(
  database: MemoryDatabase,
  { phrases, owner, filter, limit }: TextQuery,
  terms: readonly WeightedTerm[],
  parts: readonly string[],
): Promise<readonly FoundRow[]> {
  const weights = [
    ...phrases.map((phrase) => ({
      query: phrase.map(quotedTerm).join(" <-> "),
      weight: PHRASE_WEIGHT,
    })),
    ...terms.map(({ term, weight }) => ({ query: quotedTerm(term), weight })),
    ...parts.map((part) => ({ query: quotedTerm(part), weight: PART_WEIGHT })),
  ];
  const expression = weights.map(({ query }) => `(${query})`).join(" | ");
  const first = 3 + filter.params.length;
  const sum = weights
    .map((_, index) => {
      const number = first + 2 * index;
      return `case when t.words @@ $${number}::tsquery then $${number + 1}::float8 else 0 end`;
    })
    .join(" + ");
  return await database.query<FoundRow>(
    `select ${candidateColumns(database.time)}, ts_rank_cd(t.words, $1::tsquery) + ${sum} as evidence
      from chunk_terms t
      join chunks c on c.id = t.chunk
      join documents d on d.id = c.document
      where t.words @@ $1::tsquery and c.owner = $2${filter.sql}
      order by evidence desc, d.updated_at desc, c.id limit ${limit}`,
    [
      expression,
      owner,
      ...filter.params,
      ...weights.flatMap(({ query, weight }) => [query, weight]),
    ],
  );
}

/** A string of FTS5, in which nothing is an operator (MEM-016). */
function quoted(word: string): string {
  return `"${word.replaceAll('"', '""')}"`;
}
