import {
  PluginMigrationError,
  PluginQueryError,
  PluginStoreArgumentError,
} from "@openclaw/plugin-sdk/errors";
import type { PluginDatabase, PluginMigration, PluginStore } from "@openclaw/plugin-sdk/store";
import { describe, expect, it, onTestFinished } from "vitest";
import { createPluginStores, openStore, type PluginStores } from "../../src/index.js";
import { runBeside } from "../support/database-beside.js";
import { newServerDatabase } from "../support/open-store.js";

const notes: PluginMigration = {
  id: "notes",
  sqlite: "create table notes (id integer primary key, text text)",
  postgres: "create table notes (id bigserial primary key, text text, done boolean, raw bytea)",
};
const titles: PluginMigration = {
  id: "titles",
  sqlite: "alter table notes add column title text",
  postgres: ["alter table notes add column title text", "create index title on notes (title)"],
};

/** Opens the stores of a host's plugins on a server. */
async function openStores(place = newServerDatabase()): Promise<PluginStores> {
  const store = await openStore(place);
  const stores = createPluginStores({ store, url: place.url });
  onTestFinished(async () => {
    await stores.close();
    await store.close();
  });
  return stores;
}

function openNotes(store: PluginStore, migrations = [notes]): Promise<PluginDatabase> {
  return store.database({ name: "notes", migrations });
}

async function textsIn(database: PluginDatabase): Promise<string[]> {
  const rows = await database.query<{ text: string }>("select text from notes order by id");
  return rows.map(({ text }) => text);
}

describe("plugin database on a server", () => {
  it("[SDK-040] accepts numbered parameters and returns rows by column", async () => {
    const database = await openNotes((await openStores()).of("guard"));
    expect(database.dialect).toBe("postgres");
    const raw = new Uint8Array([0, 255]);
    const insert = "insert into notes (text, done, raw) values ($1, $2, $3)";
    expect(await database.query(insert, ["héllo", true, raw])).toEqual([]);
    expect(await database.query("select * from notes where text = $1", ["héllo"])).toEqual([
      { id: 1, text: "héllo", done: true, raw: Buffer.from(raw) },
    ]);
  });

  it("keeps whole numbers exact, and returns times and JSON as text", async () => {
    const database = await openNotes((await openStores()).of("guard"));
    const large = 9_007_199_254_740_993n;
    const sql = `select $1::bigint as large, $2::bigint as small, timestamptz '2026-01-02 03:04Z' as at,
      '{"a": 1}'::jsonb as json, 1.50::numeric as exact`;
    expect(await database.query(sql, [large, 3])).toEqual([
      { large, small: 3, at: "2026-01-02 03:04:00+00", json: '{"a": 1}', exact: "1.50" },
    ]);
  });

  it("[SDK-040] commits a transaction completely or not at all", async () => {
    const database = await openNotes((await openStores()).of("guard"));
    const add = "insert into notes (text) values ($1)";
    await database.transaction(async (inside) => {
      await inside.query(add, ["one"]);
      await inside.query(add, ["two"]);
    });
    const failure = new Error("changed my mind");
    const undone = database.transaction(async (inside) => {
      await inside.query(add, ["three"]);
      throw failure;
    });
    await expect(undone).rejects.toBe(failure);
    const caught = database.transaction(async (inside) => {
      await inside.query(add, ["four"]);
      await inside.query("insert into nowhere values (1)").catch(() => undefined);
    });
    await expect(caught).rejects.toMatchObject({ code: "TRANSACTION_MISUSE" });
    expect(await textsIn(database)).toEqual(["one", "two"]);
  });

  it("reports why it rejects a statement", async () => {
    const database = await openNotes((await openStores()).of("guard"));
    const refused = [
      ["select * from nowhere", [], 'relation "nowhere" does not exist'],
      ["select $1::text || $2::text as x", ["1"], "give one parameter for each of $1, $2"],
      ["select 1; commit", [], "run one statement at a time"],
      ["insert into notes (id) values (1), (1)", [], "duplicate key value"],
    ] as const;
    for (const [sql, params, message] of refused) {
      const call = database.query(sql, params);
      await expect(call, sql).rejects.toThrow(PluginQueryError);
      await expect(call, sql).rejects.toThrow(message);
    }
    expect(await textsIn(database)).toEqual([]);
  });

  it("[PLUG-061] runs migrations once, in order, under a lock; a changed one is an error", async () => {
    const stores = await openStores();
    const first = await openNotes(stores.of("guard"));
    await first.query("insert into notes (text) values ('old')");
    const all = await Promise.all(
      Array.from({ length: 4 }, () => openNotes(stores.of("guard"), [notes, titles])),
    );
    for (const database of all) {
      expect(await database.query("select text, title from notes")).toEqual([
        { text: "old", title: null },
      ]);
    }
    const changed = openNotes(stores.of("guard"), [
      { ...notes, postgres: "create table x (y int)" },
    ]);
    await expect(changed).rejects.toThrow(PluginMigrationError);
    await expect(changed).rejects.toThrow('migration "notes" differs from the applied one');
    const failing = {
      ...titles,
      id: "broken",
      postgres: ["create table half (a int)", "drop table no"],
    };
    await expect(openNotes(stores.of("guard"), [notes, titles, failing])).rejects.toThrow(
      'migration "broken" failed: table "no" does not exist; it was rolled back',
    );
    const several = { ...titles, id: "several", postgres: "create table a (b int); drop table a" };
    await expect(openNotes(stores.of("guard"), [notes, titles, several])).rejects.toThrow(
      "give its statements as a list",
    );
    await expect(first.query("select * from half")).rejects.toThrow("does not exist");
  });

  it("[PLUG-061] is a separate schema for each name, plugin and host", async () => {
    const place = newServerDatabase();
    const stores = await openStores(place);
    const mine = await openNotes(stores.of("one"));
    await mine.query("insert into notes (text) values ('mine')");
    const other = await openNotes(stores.of("two"));
    const second = await stores.of("one").database({ name: "second", migrations: [notes] });
    expect([await textsIn(mine), await textsIn(other), await textsIn(second)]).toEqual([
      ["mine"],
      [],
      [],
    ]);
    await expect(mine.query("select * from inbox")).rejects.toThrow("does not exist");
    expect(await runBeside(place, "select to_regclass('notes') as found")).toEqual([
      { found: null },
    ]);
  });

  it("[PLUG-061] rejects statements that use the schema of the host or of another plugin", async () => {
    const place = newServerDatabase();
    const host = new URL(place.url).searchParams.get("schema") ?? "";
    const stores = await openStores(place);
    const mine = await openNotes(stores.of("one"));
    const other = await openNotes(stores.of("two"));
    const [{ schema = "" } = {}] = await other.query<{ schema: string }>(
      "select current_schema() as schema",
    );
    for (const sql of [
      `select * from "${host}".inbox`,
      `select * from ${schema}.notes`,
      `select * from "${schema}" . notes`,
      'select * from U&"\\006f".notes',
      "set search_path to public",
      "commit",
      "copy notes to '/tmp/x'",
    ]) {
      await expect(mine.query(sql), sql).rejects.toThrow(PluginStoreArgumentError);
    }
    const harmless = `select n.text, '${schema}.notes' as literal from notes n -- ${schema}.notes`;
    expect(await mine.query(harmless)).toEqual([]);
  });

  it("[PLUG-061] is kept when the host restarts, and deleted with its plugin", async () => {
    const place = newServerDatabase();
    const first = await openStores(place);
    for (const id of ["gone", "stays"]) {
      await (await openNotes(first.of(id))).query("insert into notes (text) values ('here')");
    }
    await first.close();
    const again = await openStores(place);
    expect(await textsIn(await openNotes(again.of("gone")))).toEqual(["here"]);
    await again.remove("gone");
    await again.remove("never there");
    expect(await textsIn(await openNotes(again.of("gone")))).toEqual([]);
    expect(await textsIn(await openNotes(again.of("stays")))).toEqual(["here"]);
  });
});
