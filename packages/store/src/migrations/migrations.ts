import { sha256 } from "@openclaw/foundation";
import { sql } from "kysely";
import type { MigrationColumns } from "../database/schema.js";
import type { UnitOfWork } from "../database/unit-of-work.js";
import {
  MigrationChangedError,
  MigrationFailedError,
  SchemaTooNewError,
  StoreUnavailableError,
} from "../errors.js";
import type { Migration, SchemaWords } from "./migration.js";

/** A migration as recorded in the database. */
export interface AppliedMigration {
  readonly name: string;
  /** SHA-256 of the name and the statements, in hexadecimal. */
  readonly checksum: string;
  /** Milliseconds since the epoch. */
  readonly appliedAt: number;
}

/** Table that records the migrations; in a plugin's database the plain name may be the plugin's. */
export type MigrationTable = "migrations" | "openclaw_migrations";

/**
 * Brings a database to the newest schema. Each migration runs in a separate transaction that holds
 * the write lock from its beginning, so of several processes starting at once one applies it.
 * @param unit - the database, outside of any transaction
 * @param file - the database, for messages
 * @param words - SQL fragments of the dialect
 * @param migrations - oldest first
 * @param table - table that records them
 * @throws MigrationChangedError when an applied migration differs from the given one
 * @throws SchemaTooNewError when the database has migrations beyond the given ones
 * @throws MigrationFailedError when a statement fails
 */
export async function migrate(
  unit: UnitOfWork,
  file: string,
  words: SchemaWords,
  migrations: readonly Migration[],
  table: MigrationTable = "migrations",
): Promise<void> {
  const steps = migrations.map((migration) => prepare(migration, words));
  let remaining: number;
  do {
    remaining = await unit.atomic(async (transaction) => {
      await createMigrationTable(transaction, words, table);
      const pending = pendingSteps(steps, await appliedMigrations(transaction, table), file);
      const [next] = pending;
      if (next === undefined) return 0;
      await apply(next, transaction, table, file);
      return pending.length - 1;
    });
  } while (remaining > 0);
}

/**
 * Returns the migrations of a database, by name.
 * @param table - table that records them
 */
export async function appliedMigrations(
  unit: UnitOfWork,
  table: MigrationTable = "migrations",
): Promise<readonly AppliedMigration[]> {
  const rows = await unit.query().selectFrom(table).selectAll().orderBy("name").execute();
  return rows.map(({ name, checksum, applied_at }: MigrationColumns) => ({
    name,
    checksum,
    appliedAt: Number(applied_at),
  }));
}

/** State of a migration in a database. */
export interface MigrationState {
  readonly name: string;
  /**
   * `changed`: the applied migration differs from the one of this version; `unknown`: a newer
   * version applied it.
   */
  readonly state: "applied" | "pending" | "changed" | "unknown";
  /** Milliseconds since the epoch; absent while it is pending. */
  readonly appliedAt?: number | undefined;
}

/**
 * Returns the state of each migration in a database, in the order of application, without changing
 * anything.
 * @param unit - the database, outside of any transaction
 * @param words - SQL fragments of the dialect
 * @param migrations - oldest first
 */
export async function migrationStates(
  unit: UnitOfWork,
  words: SchemaWords,
  migrations: readonly Migration[],
  table: MigrationTable = "migrations",
): Promise<readonly MigrationState[]> {
  const applied = new Map(
    (await inspected(unit, words, table)).map((found) => [found.name, found]),
  );
  const known = migrations.map((migration): MigrationState => {
    const { name, checksum } = prepare(migration, words);
    const found = applied.get(name);
    applied.delete(name);
    if (found === undefined) return { name, state: "pending" };
    const state = found.checksum === checksum ? "applied" : "changed";
    return { name, state, appliedAt: found.appliedAt };
  });
  const unknown = [...applied.values()].map(
    ({ name, appliedAt }): MigrationState => ({ name, state: "unknown", appliedAt }),
  );
  return [...known, ...unknown];
}

/** Returns the recorded migrations, without creating the table in a database that has none. */
async function inspected(
  unit: UnitOfWork,
  words: SchemaWords,
  table: MigrationTable,
): Promise<readonly AppliedMigration[]> {
  const undone = new Error("undo");
  let applied: readonly AppliedMigration[] = [];
  try {
    await unit.atomic(async (inside) => {
      await createMigrationTable(inside, words, table);
      applied = await appliedMigrations(inside, table);
      throw undone;
    });
  } catch (error) {
    if (error !== undone) throw error;
  }
  return applied;
}

/**
 * Checks that the applied migrations of a database are the first ones of the given list.
 * @param applied - the recorded migrations
 * @param words - SQL fragments of the dialect
 * @param migrations - oldest first
 * @param file - the database, for messages
 * @throws MigrationChangedError, SchemaTooNewError as {@link migrate}
 */
export function checkHistory(
  applied: readonly AppliedMigration[],
  words: SchemaWords,
  migrations: readonly Migration[],
  file: string,
): void {
  pendingSteps(
    migrations.map((migration) => prepare(migration, words)),
    applied,
    file,
  );
}

interface Step {
  readonly name: string;
  readonly statements: readonly string[];
  readonly checksum: string;
}

function prepare({ name, statements }: Migration, words: SchemaWords): Step {
  const texts = statements(words);
  // JSON preserves the boundaries: ["a", "b"] and ["ab"] differ.
  const checksum = sha256(JSON.stringify([name, ...texts]));
  return { name, statements: texts, checksum };
}

async function createMigrationTable(
  unit: UnitOfWork,
  words: SchemaWords,
  table: MigrationTable,
): Promise<void> {
  const { integer, text } = words;
  const columns = `name ${text} not null primary key, checksum ${text} not null, applied_at ${integer} not null`;
  const statement = `create table if not exists ${table} (${columns}) ${words.table}`;
  await sql.raw(statement).execute(unit.query());
}

function pendingSteps(
  steps: readonly Step[],
  applied: readonly AppliedMigration[],
  file: string,
): readonly Step[] {
  const unmatched = new Map(applied.map((found) => [found.name, found]));
  const pending: Step[] = [];
  for (const step of steps) {
    const found = unmatched.get(step.name);
    unmatched.delete(step.name);
    if (found === undefined) {
      pending.push(step);
    } else if (found.checksum !== step.checksum) {
      throw new MigrationChangedError(file, step.name, describe(step), describe(found));
    } else if (pending[0] !== undefined) {
      // A step before an applied one was inserted, or renamed, afterwards.
      throw new MigrationChangedError(file, pending[0].name, describe(pending[0]), describe(found));
    }
  }
  const [unknown] = unmatched.values();
  if (unknown === undefined) return pending;
  if (pending[0] !== undefined) {
    throw new MigrationChangedError(file, pending[0].name, describe(pending[0]), describe(unknown));
  }
  throw new SchemaTooNewError(file, steps.at(-1)?.name ?? "none", [...unmatched.keys()]);
}

function describe({ name, checksum }: { name: string; checksum: string }): string {
  return `${name} with checksum ${checksum.slice(0, 12)}`;
}

async function apply(
  { name, checksum, statements }: Step,
  unit: UnitOfWork,
  table: MigrationTable,
  file: string,
): Promise<void> {
  for (const statement of statements) {
    try {
      await sql.raw(statement).execute(unit.query());
    } catch (error) {
      throw StoreUnavailableError.isInstance(error)
        ? error
        : new MigrationFailedError(file, name, error);
    }
  }
  await unit.query().insertInto(table).values({ name, checksum, applied_at: unit.now() }).execute();
}
