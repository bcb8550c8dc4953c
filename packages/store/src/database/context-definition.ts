import type { Migration } from "../migrations/migration.js";
import type { StoredTable } from "./schema.js";
import type { UnitOfWork } from "./unit-of-work.js";

/**
 * Removes or empties some of the rows that are too old.
 * @param before - rows older than this are removed, in milliseconds since the epoch
 * @param limit - maximum number of rows
 * @returns number of rows removed; 0 when none is left
 */
export type Sweep = (unit: UnitOfWork, before: number, limit: number) => Promise<number>;

/** Retention rule of a table: how its old rows are removed. */
export interface RetentionRule<Subject extends string = string> {
  /** Setting that defines how long the rows are kept. */
  readonly subject: Subject;
  readonly sweep: Sweep;
}

/**
 * Removes the rows of a table that belong to a session.
 * @param session_key - key of the session as the database spells it
 */
export type Removal = (session_key: string, unit: UnitOfWork) => Promise<unknown>;

/** Table definition: its key, and the rules for its rows. */
export interface TableDefinition<Columns = never, Subject extends string = string> {
  /** Columns of the primary key. */
  readonly key: readonly (keyof Columns & string)[];
  /** Set when the database numbers the rows itself. */
  readonly isNumbered?: true | undefined;
  /** Set when a new database already has rows in it. */
  readonly isSeeded?: true | undefined;
  /** Tables that the rows refer to. They are copied before this table and removed after it. */
  readonly dependsOn?: readonly StoredTable[] | undefined;
  readonly retention: RetentionRule<Subject> | "kept";
  /** Removes the rows of a removed session; `kept` leaves them. */
  readonly removal: Removal | "kept";
}

/**
 * Additions of a context to the database: its migrations, its tables, and the rules for their rows.
 * A table of the context's schema without a key, a retention rule and a removal rule does not
 * compile.
 */
export interface ContextDefinition<ContextTables, Subject extends string = never> {
  /** Migrations that change tables of this context only. */
  readonly migrations: readonly Migration[];
  readonly tables: {
    readonly [Table in keyof ContextTables]: TableDefinition<ContextTables[Table], Subject>;
  };
  /** Default number of days that each subject is kept. */
  readonly retentionDays: { readonly [Name in Subject]: number };
}
