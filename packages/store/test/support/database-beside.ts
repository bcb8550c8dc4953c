import { createClient } from "@libsql/client";
import BetterSqlite from "better-sqlite3";
import { Client, type CustomTypesConfig, types } from "pg";
import { databasePlace, postgresPlace } from "../../src/engine/database-url.js";
import type { StorePlace } from "../../src/index.js";

/**
 * Runs a statement on a database while its store is open.
 * @param place - database
 * @param statement - statement in the SQL dialect of the engine
 * @returns the resulting rows, if any
 */
export async function runBeside(
  place: StorePlace,
  statement: string,
): Promise<readonly Record<string, unknown>[]> {
  if ("file" in place) return runOnFile(place.file, statement);
  const found = databasePlace(place.url);
  if (found.engine === "libsql") {
    return found.file === undefined
      ? await runOnServer(found.connection, statement)
      : runOnFile(found.file, statement);
  }
  const { connection, schema } = postgresPlace(place.url);
  const client = new Client({
    connectionString: connection,
    options: `-c search_path=${schema}`,
    types: WHOLE_NUMBERS,
  });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}

/** Parses large integers as numbers; by default the client returns them as strings. */
const WHOLE_NUMBERS: CustomTypesConfig = {
  getTypeParser: (type: number, format?: "text" | "binary") =>
    type === types.builtins.INT8 ? Number : types.getTypeParser(type, format),
};

/** Returns the tables of a database, except those of the engine itself. */
export async function tablesOf(place: StorePlace): Promise<readonly unknown[]> {
  const rows = await runBeside(
    place,
    "file" in place || databasePlace(place.url).engine === "libsql"
      ? "select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' and name not in ('openclaw_commits', 'openclaw_host')"
      : `select table_name as name from information_schema.tables
          where table_schema = current_schema() and table_name <> 'openclaw_commits'`,
  );
  return rows.map(({ name }) => name).toSorted();
}

async function runOnServer(
  url: string,
  statement: string,
): Promise<readonly Record<string, unknown>[]> {
  const client = createClient({ url });
  try {
    const { rows, columns } = await client.execute(statement);
    return rows.map((row) => Object.fromEntries(columns.map((name) => [name, row[name]])));
  } finally {
    client.close();
  }
}

function runOnFile(file: string, statement: string): readonly Record<string, unknown>[] {
  const database = new BetterSqlite(file);
  try {
    const prepared = database.prepare<unknown[], Record<string, unknown>>(statement);
    if (prepared.reader) return prepared.all();
    prepared.run();
    return [];
  } finally {
    database.close();
  }
}
