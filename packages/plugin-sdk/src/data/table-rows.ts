import { canonicalJson } from "@openclaw/foundation";
import { PluginDataError } from "../errors.js";
import type { PluginDataBatch } from "../host/plugin-data.js";
import type {
  PluginDatabase,
  PluginDatabaseQuery,
  SqlRow,
  SqlValue,
} from "../host/plugin-store.js";
import {
  type CatalogReader,
  type Column,
  catalogReader,
  layoutOf,
  quoted,
  type TableLayout,
} from "./catalog.js";

const PAGE = 500;
/** SQLite accepts 32,766 parameters in one statement. */
const MOST_PARAMETERS = 30_000;

/** Form of the columns of a table that is moved. */
export interface ExportTableOptions {
  /** Columns with JSON, which SQLite keeps as text: key order and white space are made the same on every engine. */
  readonly json?: readonly string[];
}

/**
 * Reads the rows of a table, in the order of its primary key, as values that are the same on every engine: times as
 * ISO 8601 in UTC, JSON as canonical text, booleans as 0 or 1 (SDK-641).
 * @param table - a table with a primary key
 * @param options - columns whose form the engine does not know
 * @throws PluginDataError when the table does not exist, has no primary key, or has JSON that is not named
 */
export async function* exportTable(
  database: Pick<PluginDatabase, "dialect" | "query">,
  table: string,
  { json = [] }: ExportTableOptions = {},
): AsyncGenerator<PluginDataBatch> {
  const reader = catalogReader(database.dialect, database);
  const layout = await checkedLayout(reader, table, json);
  const names = layout.columns.map(({ name, form }) =>
    form === "time" ? timeOf(name) : quoted(name),
  );
  const key = layout.key.map(quoted).join(", ");
  const places = layout.key.map((_, index) => `$${index + 1}`).join(", ");
  let last: SqlRow | undefined;
  let count = 0;
  for (;;) {
    const behind = last === undefined ? "" : `where (${key}) > (${places})`;
    const rows = await reader.query(
      `select ${names.join(", ")} from ${quoted(table)} ${behind} order by ${key} limit ${PAGE}`,
      last === undefined ? [] : valuesOf(last, layout.key),
    );
    if (rows.length > 0) {
      yield { table, rows: rows.map((row) => portable(row, layout.columns, json)) };
    }
    count += rows.length;
    last = rows.at(-1);
    if (rows.length < PAGE) break;
  }
  const [all] = await reader.query<{ count: number }>(
    `select count(*) as count from ${quoted(table)}`,
  );
  if (all?.count !== count) {
    throw new PluginDataError(table, `${all?.count} rows, of which ${count} have a key`);
  }
}

/**
 * Writes rows of `exportTable` into the table of the same name. Rows that the database numbers keep their numbers, and
 * the next row continues after them.
 * @param inside - a transaction
 * @param dialect - engine of the database
 * @throws PluginDataError when the table does not exist
 */
export async function importRows(
  inside: PluginDatabaseQuery,
  dialect: PluginDatabase["dialect"],
  { table, rows }: PluginDataBatch,
): Promise<void> {
  const names = Object.keys(rows[0] ?? {});
  if (names.length === 0) return;
  const { columns } = await layoutOf(catalogReader(dialect, inside), table);
  if (columns.length === 0) throw new PluginDataError(table, "the migrations do not create it");
  const booleans = new Set(columns.flatMap(({ name, form }) => (form === "boolean" ? name : [])));
  const most = Math.max(1, Math.floor(MOST_PARAMETERS / names.length));
  for (let from = 0; from < rows.length; from += most) {
    const part = rows.slice(from, from + most);
    const places = part.map((_, row) => {
      const first = row * names.length + 1;
      return `(${names.map((_name, column) => `$${first + column}`).join(", ")})`;
    });
    await inside.query(
      `insert into ${quoted(table)} (${names.map(quoted).join(", ")}) values ${places.join(", ")}`,
      part.flatMap((row) => names.map((name) => stored(row[name] ?? null, booleans.has(name)))),
    );
  }
  for (const { name, sequence } of columns) {
    if (sequence === undefined) continue;
    const newest = `(select max(${quoted(name)}) from ${quoted(table)})`;
    await inside.query(`select setval($1::text::regclass, ${newest})`, [sequence]);
  }
}

async function checkedLayout(
  reader: CatalogReader,
  table: string,
  json: readonly string[],
): Promise<TableLayout> {
  const layout = await layoutOf(reader, table);
  if (layout.columns.length === 0) {
    throw new PluginDataError(table, "the migrations do not create it");
  }
  if (layout.key.length === 0) {
    throw new PluginDataError(table, "it has no primary key; add one with a migration");
  }
  const unnamed = layout.columns.find(({ name, form }) => form === "json" && !json.includes(name));
  if (unnamed !== undefined) {
    throw new PluginDataError(
      table,
      `the column ${unnamed.name} is JSON on PostgreSQL; name it in \`json\``,
    );
  }
  return layout;
}

/** Microseconds are what the engine keeps; a time of JavaScript has milliseconds. */
function timeOf(name: string): string {
  return `to_char(${quoted(name)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as ${quoted(name)}`;
}

function portable(row: SqlRow, columns: readonly Column[], json: readonly string[]): SqlRow {
  const entries = columns.map(({ name, form }): [string, SqlValue] => {
    const value = row[name] ?? null;
    if (typeof value === "boolean") return [name, Number(value)];
    if (typeof value !== "string") return [name, value];
    if (form === "time") return [name, value.replace(/000Z$/, "Z")];
    return [name, json.includes(name) ? canonicalJson(JSON.parse(value)) : value];
  });
  return Object.fromEntries(entries);
}

function stored(value: SqlValue, isBoolean: boolean): SqlValue {
  return isBoolean && value !== null ? Boolean(value) : value;
}

function valuesOf(row: SqlRow, names: readonly string[]): SqlValue[] {
  return names.map((name) => row[name] ?? null);
}
