import type { PluginDatabaseQuery, SqlRow, SqlValue } from "@openclaw/plugin-sdk/store";

/** Rows of one statement, largest first: few sizes, so that the engine prepares few statements. */
const SIZES = [64, 16, 4, 1] as const;

/** Statements by table and size. */
const statements = new Map<string, string>();

/**
 * Inserts rows with as few statements as possible.
 * @param database - a database, or a transaction that makes the rows appear together
 * @param into - for example `insert into hits (key, at)`
 * @param rows - values in the order of the columns
 * @param after - clause after the values, for example `on conflict …`
 * @returns rows that the statements return
 */
export async function insertRows<Row extends object = SqlRow>(
  database: PluginDatabaseQuery,
  into: string,
  rows: readonly (readonly SqlValue[])[],
  after = "",
): Promise<readonly Row[]> {
  const returned: Row[] = [];
  let from = 0;
  while (from < rows.length) {
    const size = SIZES.find((each) => each <= rows.length - from) ?? 1;
    const chunk = rows.slice(from, from + size);
    const sql = statementOf(into, size, chunk[0]?.length ?? 0, after);
    returned.push(...(await database.query<Row>(sql, chunk.flat())));
    from += size;
  }
  return returned;
}

function statementOf(into: string, size: number, columns: number, after: string): string {
  const key = `${size} ${into} ${after}`;
  const known = statements.get(key);
  if (known !== undefined) return known;
  const row = (index: number) =>
    `(${Array.from({ length: columns }, (_, column) => `$${index * columns + column + 1}`).join(", ")})`;
  const values = Array.from({ length: size }, (_, index) => row(index)).join(", ");
  const sql = `${into} values ${values} ${after}`.trimEnd();
  statements.set(key, sql);
  return sql;
}
