import { errorMessage } from "@openclaw/plugin-sdk/kit";
import type { PluginDatabase, PluginDatabaseQuery } from "@openclaw/plugin-sdk/store";
import { termsOfText } from "../text/terms.js";

/** Engine of a database, and whether it has full-text search. */
interface FullTextEngine {
  readonly dialect: PluginDatabase["dialect"];
  readonly hasFullText: boolean;
}

/** Entry of the full-text table. */
export interface FullTextEntry {
  readonly chunk: number;
  /** Words of the path and of the date, which count more than the text. */
  readonly title: string;
  readonly text: string;
}

/** Version of the terms. Chunks of other versions are indexed again in the background. */
export const TEXT_VERSION = 1;

/** Largest position of a word that PostgreSQL keeps. */
const LAST_POSITION = 16_383;

/**
 * Creates the full-text table, unless the engine has no full-text search. It has the terms that this extension finds in a
 * text, so that both engines find the same words in every language (MEM-321).
 * @param query - the memory's database
 * @param dialect - its engine
 * @returns the reason why there is no full-text search; undefined when there is
 */
export async function createFullTextTable(
  query: PluginDatabaseQuery,
  dialect: PluginDatabase["dialect"],
): Promise<string | undefined> {
  const statements =
    dialect === "sqlite"
      ? [
          // The tokenizer only divides at spaces: every character of a term that is not a letter of ASCII is part of it.
          `create virtual table if not exists chunk_terms using fts5 (
            title, body, parts, content = '', contentless_delete = 1, tokenize = 'ascii'
          )`,
        ]
      : [
          `create table if not exists chunk_terms (
            chunk bigint primary key,
            words tsvector not null
          )`,
          "create index if not exists chunk_terms_words on chunk_terms using gin (words)",
        ];
  try {
    for (const statement of statements) await query.query(statement);
    return undefined;
  } catch (error) {
    return `the database has no full-text search: ${errorMessage(error)}`;
  }
}

/**
 * Adds chunks to the full-text table, or replaces their entries.
 * @param inside - the transaction that adds the chunks
 * @param database - the memory's database
 * @param entries - the chunks
 */
export async function indexText(
  inside: PluginDatabaseQuery,
  { dialect, hasFullText }: FullTextEngine,
  entries: readonly FullTextEntry[],
): Promise<void> {
  if (!hasFullText) return;
  for (const { chunk, title, text } of entries) {
    const head = termsOfText(title, "index").map(({ term }) => term);
    const body = termsOfText(text, "index");
    const words = body.map(({ term }) => term);
    const parts = body.flatMap((each) => each.parts);
    if (dialect === "sqlite") {
      await inside.query(
        "insert into chunk_terms (rowid, title, body, parts) values ($1, $2, $3, $4)",
        [chunk, head.join(" "), words.join(" "), parts.join(" ")],
      );
    } else {
      const vector = [...weighted(head, "A"), ...weighted(words, "B"), ...weighted(parts, "D")];
      await inside.query(
        `insert into chunk_terms (chunk, words) values ($1, $2::tsvector)
          on conflict (chunk) do update set words = excluded.words`,
        [chunk, vector.join(" ")],
      );
    }
  }
}

/**
 * Removes the chunks of a document from the full-text table; call it before the chunks are deleted.
 * @param inside - the transaction that deletes the chunks
 * @param database - the memory's database
 */
export async function removeText(
  inside: PluginDatabaseQuery,
  { dialect, hasFullText }: FullTextEngine,
  document: string,
): Promise<void> {
  if (!hasFullText) return;
  const key = dialect === "sqlite" ? "rowid" : "chunk";
  await inside.query(
    `delete from chunk_terms where ${key} in (select id from chunks where document = $1)`,
    [document],
  );
}

/** Terms consist of letters, digits and marks, so that nothing in them has a meaning for the engine. */
function weighted(terms: readonly string[], weight: "A" | "B" | "D"): string[] {
  return terms.map(
    (term, index) => `${quotedTerm(term)}:${Math.min(index + 1, LAST_POSITION)}${weight}`,
  );
}

/**
 * Returns a term as an operand of a query of PostgreSQL.
 * @param term - term of a query
 */
export function quotedTerm(term: string): string {
  return `'${term.replaceAll("'", "''").replaceAll("\\", "\\\\")}'`;
}
