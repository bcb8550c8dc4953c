import BetterSqlite from "better-sqlite3";
import { Kysely } from "kysely";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  MigrationChangedError,
  MigrationFailedError,
  openStore,
  SchemaTooNewError,
} from "../src/index.js";
import { appliedMigrations, MIGRATIONS, type Migration, migrate } from "../src/migrations.js";
import type { Schema } from "../src/schema.js";
import { openSqlite, SQLITE_SCHEMA, sqliteDialect } from "../src/sqlite.js";
import { DatabaseUnit } from "../src/unit-of-work.js";
import { inbound, newFile, openTestStore, tickingClock } from "./open-store.js";

const first: Migration = { name: "0001-first", statements: () => ["create table one (a text)"] };
const second: Migration = {
  name: "0002-second",
  statements: ({ integer }) => [`create table two (b ${integer})`, "insert into two values (1)"],
};

/** A database on which any list of migrations can be run. */
function openUnit(file: string): DatabaseUnit {
  const dialect = sqliteDialect(openSqlite(file, "process"), file);
  const unit = new DatabaseUnit(new Kysely<Schema>({ dialect }), tickingClock());
  onTestFinished(() => unit.close());
  return unit;
}

function tablesOf(file: string): readonly unknown[] {
  const database = new BetterSqlite(file);
  try {
    return database.prepare("select name from sqlite_schema where type = 'table'").pluck().all();
  } finally {
    database.close();
  }
}

describe("migrations", () => {
  it("are applied once each, in order, and remembered with time and checksum", async () => {
    const file = newFile();
    const unit = openUnit(file);
    await migrate(unit, file, SQLITE_SCHEMA, [first]);
    await migrate(unit, file, SQLITE_SCHEMA, [first, second]);
    await migrate(unit, file, SQLITE_SCHEMA, [first, second]);
    const applied = await appliedMigrations(unit);
    expect(applied.map(({ name }) => name)).toEqual(["0001-first", "0002-second"]);
    for (const { checksum } of applied) expect(checksum).toMatch(/^[0-9a-f]{64}$/);
    expect(applied[1]?.appliedAt).toBeGreaterThan(applied[0]?.appliedAt ?? Number.NaN);
    expect(tablesOf(file)).toEqual(["migrations", "one", "two"]);
  });

  it("leave nothing behind when they fail, and keep those before", async () => {
    const file = newFile();
    const unit = openUnit(file);
    const broken: Migration = {
      name: "0002-broken",
      statements: () => ["create table half (a text)", "insert into nowhere values (1)"],
    };
    const run = migrate(unit, file, SQLITE_SCHEMA, [first, broken]);
    await expect(run).rejects.toThrow(MigrationFailedError);
    await expect(run).rejects.toThrow("migration 0002-broken failed: no such table: nowhere;");
    expect(tablesOf(file)).toEqual(["migrations", "one"]);
    await migrate(unit, file, SQLITE_SCHEMA, [first, second]);
    expect(tablesOf(file)).toEqual(["migrations", "one", "two"]);
  });

  it("leave the failure as it is when the disk is full, and nothing behind", async () => {
    const file = newFile();
    const database = openSqlite(file, "process");
    const dialect = sqliteDialect(database, file);
    const unit = new DatabaseUnit(new Kysely<Schema>({ dialect }), tickingClock());
    onTestFinished(() => unit.close());
    await migrate(unit, file, SQLITE_SCHEMA, [first]);
    database.pragma(`max_page_count = ${database.pragma("page_count", { simple: true })}`);
    const run = migrate(unit, file, SQLITE_SCHEMA, [first, second]);
    await expect(run).rejects.toMatchObject({ code: "STORE_UNAVAILABLE", reason: "full" });
    expect(tablesOf(file)).toEqual(["migrations", "one"]);
  });

  it("are refused when one was put in front of an applied one", async () => {
    const file = newFile();
    const unit = openUnit(file);
    await migrate(unit, file, SQLITE_SCHEMA, [second]);
    const run = migrate(unit, file, SQLITE_SCHEMA, [first, second]);
    await expect(run).rejects.toThrow(MigrationChangedError);
    await expect(run).rejects.toMatchObject({ migration: "0001-first" });
    expect(tablesOf(file)).toEqual(["migrations", "two"]);
  });

  it.each<[string, Migration]>([
    ["statements", { ...first, statements: () => ["create table one (a text, b text)"] }],
    ["name", { ...first, name: "0001-renamed" }],
  ])("are refused when the %s of an applied one changed", async (_, changed) => {
    const file = newFile();
    const unit = openUnit(file);
    await migrate(unit, file, SQLITE_SCHEMA, [first]);
    const run = migrate(unit, file, SQLITE_SCHEMA, [changed, second]);
    await expect(run).rejects.toThrow(MigrationChangedError);
    await expect(run).rejects.toThrow(
      /the database applied 0001-first with checksum [0-9a-f]{12};/,
    );
    await expect(run).rejects.toMatchObject({ file, migration: changed.name });
    expect(tablesOf(file)).toEqual(["migrations", "one"]);
  });

  it("are refused when the database has one that this version does not know", async () => {
    const file = newFile();
    const store = await openTestStore({ file });
    await store.inbox.accept(inbound());
    await store.close();
    const database = new BetterSqlite(file);
    database.exec("insert into migrations values ('9999-later', 'abc', 1)");
    database.close();

    const opened = openStore({ file });
    await expect(opened).rejects.toThrow(SchemaTooNewError);
    await expect(opened).rejects.toMatchObject({ exitCode: 78, unknown: ["9999-later"] });
    await expect(opened).rejects.toThrow(
      `knows migrations up to ${MIGRATIONS.at(-1)?.name}, but the database also has 9999-later; start the newer version`,
    );
  });

  it("are refused in a database that has some when the code has none", async () => {
    const file = newFile();
    const unit = openUnit(file);
    await migrate(unit, file, SQLITE_SCHEMA, [first]);
    await expect(migrate(unit, file, SQLITE_SCHEMA, [])).rejects.toThrow(
      "knows migrations up to none, but the database also has 0001-first",
    );
  });
});

describe("the released migrations", () => {
  // A checksum here never changes once released: a database that has it could not be opened again.
  it("read as they were released", async () => {
    const store = await openTestStore();
    const applied = await store.migrations();
    expect(applied.map(({ name, checksum }) => [name, checksum])).toEqual([
      ["0001-initial", "8a7c61554260518617574569bd4608fb7ce4b458c65b1af5224964c65ce08fcb"],
      ["0002-plugin-values", "f8ad982e254137b525b836b3e08c3139739aea56240e2f3c9a0c53350501898b"],
      [
        "0003-injections-and-extensions",
        "2639f6c7b8a913a639b46e9b1f0f62fb6d254d1b345ae2ef5ce6b97aa2fbbb7e",
      ],
      ["0004-journal", "d2d7cb240521e2d0ef41791d13759f1398a1cc297214a6605168295941eba880"],
      ["0005-compactions", "904edc3f269970f5a743405ef2a4c105c8f7b18badff89d3b024de51ab3e8f2f"],
      ["0006-session-ends", "ab7d8b8e0e1a2f2a8ce4b27f57524f43bfbabe073ccec8d720a30cd35d22eeb6"],
      ["0007-tool-audit", "d6ab08e23b0ae20ffd429350d8ff0f1a67159f498bf687b2b054444010348e73"],
      ["0008-retention", "ddbd26ae0e37ca11ace0cb9a3dba3200c671a50203abed3fcc9121a2339be34e"],
      ["0009-traces", "adb4ecf290f7946ba002213ba980dda5def0ee46992ead4a22c3982c7218eaa0"],
      ["0010-approvals", "c7493f833349c6fd5405bf3bc29c63abefb827485d3c49f9201e0cc95b019e80"],
      ["0011-subagents", "0d73068aad96b3be2805311a08d771dbfea6fa220956696d9c8f3606d3f04454"],
    ]);
  });

  it("have names that sort in the order of application", () => {
    const names = MIGRATIONS.map(({ name }) => name);
    expect(names).toEqual([...names].sort());
    for (const name of names) expect(name).toMatch(/^\d{4}(-[a-z]+)+$/);
  });
});
