import BetterSqlite from "better-sqlite3";
import { CompiledQuery, Kysely, sql } from "kysely";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Schema } from "../../src/database/schema.js";
import { DatabaseUnit } from "../../src/database/unit-of-work.js";
import {
  type Durability,
  isBusy,
  openSqlite,
  SQLITE_SCHEMA,
  translateSqliteError,
} from "../../src/engine/sqlite.js";
import { sqliteDialect } from "../../src/engine/sqlite-dialect.js";
import { StoreUnavailableError, TransactionMisuseError } from "../../src/errors.js";
import { migrate } from "../../src/migrations/migrations.js";
import { tablesOf } from "../support/database-beside.js";
import { newFile, tickingClock } from "../support/open-store.js";

function open(file = newFile(), durability: Durability = "power"): BetterSqlite.Database {
  const database = openSqlite(file, durability);
  onTestFinished(() => void database.close());
  return database;
}

function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
}

describe("openSqlite", () => {
  it.each<[Durability, number, number]>([
    ["power", 1, 1],
    ["process", 1, 0],
  ])("with durability %s uses synchronous %d and full syncs %d", (durability, level, full) => {
    const database = open(newFile(), durability);
    const pragma = (name: string) => database.pragma(name, { simple: true });
    expect(pragma("journal_mode")).toBe("wal");
    expect(pragma("synchronous")).toBe(level);
    expect(pragma("fullfsync")).toBe(full);
    expect(pragma("checkpoint_fullfsync")).toBe(full);
    expect(pragma("foreign_keys")).toBe(1);
    expect(pragma("busy_timeout")).toBe(5000);
    expect(pragma("wal_autocheckpoint")).toBe(4000);
  });
});

describe("sqliteDialect", () => {
  it("reports a full disk, rolls back the transaction and works again when there is space", async () => {
    const file = newFile();
    const database = open(file);
    const builder = new Kysely<{ filled: { text: string } }>({
      dialect: sqliteDialect(database, file),
    });
    await sql`create table filled (text text)`.execute(builder);
    database.pragma("max_page_count = 20");
    const fill = () =>
      builder.transaction().execute(async (transaction) => {
        for (let row = 0; row < 10; row += 1) {
          await transaction
            .insertInto("filled")
            .values({ text: "x".repeat(16_000) })
            .execute();
        }
      });
    await expect(fill()).rejects.toThrow(StoreUnavailableError);
    await expect(fill()).rejects.toMatchObject({ reason: "full", detail: "SQLITE_FULL", file });
    await expect(fill()).rejects.toThrow(/the disk is full; free some space .* \(SQLITE_FULL\)$/);
    expect(await builder.selectFrom("filled").selectAll().execute()).toEqual([]);

    database.pragma("max_page_count = 1000");
    await fill();
    expect(await builder.selectFrom("filled").selectAll().execute()).toHaveLength(10);
  });

  it("reports a full disk during a migration as such, and rolls the migration back", async () => {
    const file = newFile();
    const database = openSqlite(file, "process");
    const dialect = sqliteDialect(database, file);
    const unit = new DatabaseUnit(new Kysely<Schema>({ dialect }), tickingClock());
    onTestFinished(() => unit.close());
    const first = { name: "0001-first", statements: () => ["create table one (a text)"] };
    const second = { name: "0002-second", statements: () => ["create table two (a text)"] };
    await migrate(unit, file, SQLITE_SCHEMA, [first]);
    database.pragma(`max_page_count = ${database.pragma("page_count", { simple: true })}`);
    const run = migrate(unit, file, SQLITE_SCHEMA, [first, second]);
    await expect(run).rejects.toMatchObject({ code: "STORE_UNAVAILABLE", reason: "full" });
    expect(await tablesOf({ file })).toEqual(["migrations", "one"]);
  });

  it("reports a read-only database", async () => {
    const file = newFile();
    open(file);
    const readOnly = new BetterSqlite(file, { readonly: true });
    onTestFinished(() => void readOnly.close());
    const builder = new Kysely({ dialect: sqliteDialect(readOnly, file) });
    const written = sql`create table refused (id integer)`.execute(builder);
    await expect(written).rejects.toMatchObject({ reason: "read-only", detail: "SQLITE_READONLY" });
    await expect(written).rejects.toThrow(/give this user write access/);
  });

  it("runs nothing on a connection whose transaction has ended", async () => {
    const file = newFile();
    const driver = sqliteDialect(open(file), file).createDriver();
    for (const end of ["commitTransaction", "rollbackTransaction"] as const) {
      const connection = await driver.acquireConnection();
      await driver.beginTransaction(connection, {});
      await driver[end](connection);
      const late = connection.executeQuery(CompiledQuery.raw("create table late (id integer)"));
      await expect(late).rejects.toThrow(TransactionMisuseError);
      await expect(late).rejects.toThrow(/await every call before the work function returns/);
      await driver.releaseConnection(connection);
    }
  });

  it("works with more different statements than it keeps prepared", async () => {
    const file = newFile();
    const builder = new Kysely({ dialect: sqliteDialect(open(file), file) });
    for (let number = 0; number < 300; number += 1) {
      const { rows } = await sql.raw(`select ${number} as number`).execute(builder);
      expect(rows).toEqual([{ number }]);
    }
  });

  it("streams rows and describes tables", async () => {
    const file = newFile();
    const builder = new Kysely<{ listed: { id: number } }>({
      dialect: sqliteDialect(open(file), file),
    });
    await sql`create table listed (id integer)`.execute(builder);
    await builder
      .insertInto("listed")
      .values([{ id: 1 }, { id: 2 }])
      .execute();
    const streamed = [];
    for await (const row of builder.selectFrom("listed").selectAll().stream()) streamed.push(row);
    expect(streamed).toEqual([{ id: 1 }, { id: 2 }]);
    const tables = await builder.introspection.getTables();
    expect(tables.map(({ name }) => name)).toEqual(["listed"]);
  });
});

describe("translateSqliteError", () => {
  it("converts an error when another connection holds the lock", () => {
    const file = newFile();
    open(file).exec("begin immediate");
    const impatient = new BetterSqlite(file, { timeout: 0 });
    onTestFinished(() => void impatient.close());
    const error = thrownBy(() => impatient.exec("begin immediate"));
    expect(isBusy(error)).toBe(true);
    expect(translateSqliteError(file, error)).toMatchObject({
      code: "STORE_UNAVAILABLE",
      reason: "busy",
      detail: "SQLITE_BUSY",
      cause: error,
    });
  });

  it("keeps programming errors and other errors unchanged", () => {
    const error = thrownBy(() => open().exec("not sql"));
    expect(error).toBeInstanceOf(BetterSqlite.SqliteError);
    expect(translateSqliteError("file", error)).toBe(error);
    const other = new Error("other");
    expect(translateSqliteError("file", other)).toBe(other);
    expect(isBusy(other)).toBe(false);
  });
});
