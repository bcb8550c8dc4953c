import type { PluginDatabase, PluginDatabaseQuery } from "../host/plugin-store.js";

/** Form in which a column keeps its values, where it differs between engines. */
export type ColumnForm = "plain" | "json" | "time" | "boolean";

/** Column of a table. */
export interface Column {
  readonly name: string;
  readonly form: ColumnForm;
  /** Sequence that numbers the rows, on PostgreSQL. */
  readonly sequence?: string | undefined;
}

/** Columns of a table, and those of its primary key in their order. */
export interface TableLayout {
  readonly columns: readonly Column[];
  readonly key: readonly string[];
}

/** Database whose `query` needs no `this`. */
export interface CatalogReader {
  readonly dialect: PluginDatabase["dialect"];
  readonly query: PluginDatabase["query"];
}

/** Tables that the host creates in the database of a plugin. */
const OF_HOST = new Set(["openclaw_migrations", "openclaw_commits"]);

/**
 * Lists the tables of a database, without those of the host and those that SQLite creates for virtual tables.
 * @param database - database of a plugin
 */
export async function tablesOf({ dialect, query }: CatalogReader): Promise<readonly string[]> {
  const rows = await query<{ name: string }>(
    dialect === "sqlite"
      ? "select name from pragma_table_list where schema = 'main' and type in ('table', 'virtual') and name not like 'sqlite\\_%' escape '\\'"
      : "select table_name as name from information_schema.tables where table_schema = current_schema()",
  );
  return rows.map(({ name }) => name).filter((name) => !OF_HOST.has(name));
}

/**
 * Reads the columns of a table from the catalog of the engine.
 * @param database - database of a plugin
 * @returns a layout without columns when there is no such table
 */
export async function layoutOf(
  { dialect, query }: CatalogReader,
  table: string,
): Promise<TableLayout> {
  if (dialect === "sqlite") {
    const rows = await query<{ name: string; pk: number }>(
      "select name, pk from pragma_table_info($1)",
      [table],
    );
    const key = rows.filter(({ pk }) => pk > 0).sort((one, other) => one.pk - other.pk);
    return {
      columns: rows.map(({ name }) => ({ name, form: "plain" })),
      key: key.map(({ name }) => name),
    };
  }
  const columns = await query<{ name: string; type: string; sequence: string | null }>(
    `select column_name as name, data_type as type,
      pg_get_serial_sequence(quote_ident(table_name), column_name) as sequence
      from information_schema.columns
      where table_schema = current_schema() and table_name = $1 order by ordinal_position`,
    [table],
  );
  const key = await query<{ name: string }>(
    `select attname as name from pg_index
      join pg_attribute on attrelid = indrelid and attnum = any (indkey)
      where indrelid = to_regclass(quote_ident($1)) and indisprimary
      order by array_position(indkey::smallint[], attnum)`,
    [table],
  );
  return {
    columns: columns.map(({ name, type, sequence }) => ({
      name,
      form: formOf(type),
      sequence: sequence ?? undefined,
    })),
    key: key.map(({ name }) => name),
  };
}

/**
 * Returns a reader of the catalog.
 * @param dialect - engine of the database
 * @param database - the database, or one of its transactions
 */
export function catalogReader(
  dialect: PluginDatabase["dialect"],
  database: PluginDatabaseQuery,
): CatalogReader {
  return { dialect, query: (sql, params) => database.query(sql, params) };
}

/**
 * Returns a name as an identifier of a statement.
 * @param name - name of a table or column
 */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function formOf(type: string): ColumnForm {
  if (type === "json" || type === "jsonb") return "json";
  if (type.startsWith("timestamp")) return "time";
  return type === "boolean" ? "boolean" : "plain";
}
