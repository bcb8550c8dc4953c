import type { Schema } from "./schema.js";

/** Every table whose rows belong to the host, not to the database they lie in. */
export type StoredTable = Exclude<
  keyof Schema,
  "migrations" | "openclaw_migrations" | "database_notes"
>;

/** What tells the rows of a table apart. */
export interface TableKey<Table extends StoredTable = StoredTable> {
  /** The columns of its primary key. */
  readonly key: readonly (keyof Schema[Table] & string)[];
  /** Whether the database numbers the rows itself. */
  readonly isNumbered?: true;
  /** Whether a new database has rows in it already. */
  readonly isSeeded?: true;
}

/**
 * Every table, those before whose rows others name: in this order a copy is written (SCALE-026). A table
 * that the schema has and this list has not does not compile.
 */
export const TABLES: { readonly [Table in StoredTable]: TableKey<Table> } = {
  inbox: { key: ["position"], isNumbered: true },
  sessions: { key: ["session_key"] },
  session_incarnations: { key: ["session_id"] },
  turns: { key: ["run_id"] },
  transcript: { key: ["session_id", "seq"] },
  compactions: { key: ["session_id", "up_to_seq"] },
  journal: { key: ["run_id", "seq"] },
  token_totals: { key: ["scope", "id"] },
  outbox: { key: ["position"], isNumbered: true },
  plugin_values: { key: ["plugin_id", "key"] },
  next_turn_injections: { key: ["position"], isNumbered: true },
  session_extensions: { key: ["session_key", "plugin_id", "namespace"] },
  tool_audit: { key: ["position"], isNumbered: true },
  policy_snapshots: { key: ["id"] },
  policy_decisions: { key: ["position"], isNumbered: true },
  traces: { key: ["run_id", "segment"] },
  approvals: { key: ["id"] },
  approval_grants: { key: ["id"] },
  audit: { key: ["seq"] },
  audit_head: { key: ["id"], isSeeded: true },
  subagents: { key: ["position"], isNumbered: true },
};

/** The names of {@link TABLES}, in their order. */
export const TABLE_NAMES: readonly StoredTable[] = Object.keys(TABLES).filter(isStoredTable);

function isStoredTable(name: string): name is StoredTable {
  return Object.hasOwn(TABLES, name);
}
