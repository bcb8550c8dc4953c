import { randomUUID } from "node:crypto";
import pg from "pg";
import { inject, onTestFinished } from "vitest";
import { openStore } from "../../src/index.js";

/** Rows that the migrations themselves write. */
interface Seed {
  readonly table: string;
  readonly rows: string;
}

/** Contents of every schema with all migrations. */
interface Layout {
  readonly tables: readonly string[];
  readonly sequences: readonly string[];
  readonly seeds: readonly Seed[];
}

const free: string[] = [];
let connection: Promise<pg.Client> | undefined;
let known: Promise<Layout> | undefined;

/**
 * Returns the URL of a schema of the test server for the stores of a test: one that other tests have used and that is
 * empty again, or one that does not exist yet. Creating the tables takes ten times as long as emptying them.
 */
export function takeSchema(): string {
  const schema = free.pop() ?? `test_${randomUUID()}`;
  onTestFinished(() => giveBack(schema));
  return urlOf(schema);
}

/** Empties a schema, and offers it to the next test; one with other tables than a store creates is left alone. */
async function giveBack(schema: string): Promise<void> {
  known ??= newLayout();
  const { tables, sequences, seeds } = await known;
  if ((await tablesOf(schema)).join() !== tables.join()) return;
  const place = pg.escapeIdentifier(schema);
  const named = (name: string) => `${place}.${pg.escapeIdentifier(name)}`;
  const client = await connected();
  await client.query(
    [
      // Neither the order of foreign keys nor a rule of the tables matters here.
      "begin; set local session_replication_role = replica",
      ...tables.map((table) => `delete from ${named(table)}`),
      ...sequences.map((sequence) => `alter sequence ${named(sequence)} restart`),
      ...seeds.map(
        ({ table, rows }) =>
          `insert into ${named(table)} select * from json_populate_recordset(null::${named(table)}, ${pg.escapeLiteral(rows)})`,
      ),
      "commit",
    ].join(";\n"),
  );
  free.push(schema);
}

async function newLayout(): Promise<Layout> {
  const schema = `test_${randomUUID()}`;
  await (await openStore({ url: urlOf(schema) })).close();
  const tables = await tablesOf(schema);
  const client = await connected();
  const sequences = await client.query<{ name: string }>(
    "select sequencename as name from pg_sequences where schemaname = $1",
    [schema],
  );
  const seeds: Seed[] = [];
  for (const table of tables) {
    const place = `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(table)}`;
    const found = await client.query<{ rows: string | null }>(
      `select json_agg(t)::text as rows from ${place} t`,
    );
    const rows = found.rows[0]?.rows;
    if (typeof rows === "string") seeds.push({ table, rows });
  }
  return { tables, sequences: sequences.rows.map(({ name }) => name), seeds };
}

async function tablesOf(schema: string): Promise<readonly string[]> {
  const client = await connected();
  const { rows } = await client.query<{ name: string }>(
    'select tablename as name from pg_tables where schemaname = $1 order by tablename collate "C"',
    [schema],
  );
  return rows.map(({ name }) => name);
}

function urlOf(schema: string): string {
  return `${inject("postgresUrl")}?schema=${schema}`;
}

function connected(): Promise<pg.Client> {
  connection ??= connect();
  return connection;
}

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: inject("postgresUrl") });
  // The server ends before the workers do.
  client.on("error", () => {
    connection = undefined;
  });
  await client.connect();
  return client;
}
