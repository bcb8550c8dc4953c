import { sql } from "kysely";
import type { Sweep } from "./context-definition.js";
import type { ContextSchema, StoredTable } from "./schema.js";

/** Table whose rows expire by age only. */
export interface AgingTable<Table extends StoredTable> {
  readonly table: Table;
  /** Columns of the primary key. */
  readonly key: readonly (keyof ContextSchema[Table] & string)[];
  /** Column with the time of a row, in milliseconds since the epoch. */
  readonly time: keyof ContextSchema[Table] & string;
}

/**
 * Returns the sweep of a table whose rows expire by age only; the oldest rows are removed first.
 * @param aging - table, its key and its time
 */
export function sweepByAge<Table extends StoredTable>({
  table,
  key,
  time,
}: AgingTable<Table>): Sweep {
  const columns = sql.join(key.map((name) => sql.ref(name)));
  const rows = sql.table(table);
  const at = sql.ref(time);
  return async (unit, before, limit) => {
    const old = sql`select ${columns} from ${rows} where ${at} < ${before} order by ${at} limit ${limit}`;
    const removed = await sql`delete from ${rows} where (${columns}) in (${old})`.execute(
      unit.query(),
    );
    return Number(removed.numAffectedRows ?? 0);
  };
}
