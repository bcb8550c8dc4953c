import type { PluginDatabase, PluginDatabaseQuery } from "@openclaw/plugin-sdk/store";

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

/**
 * Creates the full-text table, unless the engine has no full-text search.
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
          `create virtual table if not exists chunk_text using fts5 (
            title, body, content = '', contentless_delete = 1,
            tokenize = 'porter unicode61 remove_diacritics 2'
          )`,
        ]
      : [
          `create table if not exists chunk_text (
            chunk bigint primary key,
            words tsvector not null
          )`,
          "create index if not exists chunk_text_words on chunk_text using gin (words)",
        ];
  try {
    for (const statement of statements) await query.query(statement);
    return undefined;
  } catch (error) {
    return `the database has no full-text search: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/**
 * Adds chunks to the full-text table.
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
  const insert =
    dialect === "sqlite"
      ? "insert into chunk_text (rowid, title, body) values ($1, $2, $3)"
      : `insert into chunk_text (chunk, words) values
          ($1, setweight(to_tsvector('english', $2), 'A') || to_tsvector('english', $3))`;
  for (const { chunk, title, text } of entries) {
    await inside.query(insert, [chunk, title, text]);
  }
}

/**
 * Removes the chunks of a document from the full-text table; call it before the chunks are deleted.
 * @param inside - the transaction that deletes the chunks
 * @param database - the memory's database
 * @param document - ID of the document
 */
export async function removeText(
  inside: PluginDatabaseQuery,
  { dialect, hasFullText }: FullTextEngine,
  document: string,
): Promise<void> {
  if (!hasFullText) return;
  const key = dialect === "sqlite" ? "rowid" : "chunk";
  await inside.query(
    `delete from chunk_text where ${key} in (select id from chunks where document = $1)`,
    [document],
  );
}
