import type { Migration } from "../migrations/migration.js";
import type { StoredTable } from "./schema.js";
import type { UnitOfWork } from "./unit-of-work.js";

/**
 * Removes some rows that are too old, or empties them.
 * @param unit - the transaction
 * @param before - rows older than this are removed, in milliseconds since the epoch
 * @param limit - maximum number of rows
 * @returns number of rows removed; 0 when none is left
 */
export type Sweep = (unit: UnitOfWork, before: number, limit: number) => Promise<number>;

/** What age does to the rows of a table. */
export interface RetentionRule<Subject extends string = string> {
  /** The setting that says how long the rows are kept. */
  readonly subject: Subject;
  readonly sweep: Sweep;
}

/**
 * Removes the rows of a table that belong to a session.
 * @param session_key - key of the session as the database spells it
 * @param unit - the transaction
 */
export type Removal = (session_key: string, unit: UnitOfWork) => Promise<unknown>;

/** A table: its key, and the rules for its rows. */
export interface TableDefinition<Columns = never, Subject extends string = string> {
  /** Columns of the primary key. */
  readonly key: readonly (keyof Columns & string)[];
  /** Set when the database numbers the rows itself. */
  readonly isNumbered?: true | undefined;
  /** Set when a new database already has rows in it. */
  readonly isSeeded?: true | undefined;
  /** Tables that the rows refer to: they are copied before this table and removed after it. */
  readonly dependsOn?: readonly StoredTable[] | undefined;
  readonly retention: RetentionRule<Subject> | "kept";
  /** What removing a session does to the rows. */
  readonly removal: Removal | "kept";
}

/**
 * What a context adds to the database: its migrations, its tables, and the rules for their rows. A table of
 * the context's schema without a key, a retention rule and a removal rule does not compile.
 */
export interface ContextDefinition<ContextTables, Subject extends string = never> {
  /** Migrations that change tables of this context only. */
  readonly migrations: readonly Migration[];
  readonly tables: {
    readonly [Table in keyof ContextTables]: TableDefinition<ContextTables[Table], Subject>;
  };
  /** Days that each subject is kept unless the configuration says otherwise. */
  readonly retentionDays: { readonly [Name in Subject]: number };
}
