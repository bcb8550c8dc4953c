import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  PluginMigrationError,
  PluginQueryError,
  PluginStoreArgumentError,
} from "@openclaw/plugin-sdk/errors";
import type { PluginDatabase, PluginMigration, PluginStore } from "@openclaw/plugin-sdk/store";
import type { JsonValue } from "@openclaw/plugin-sdk/tools";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { StoreClosedError } from "../../src/errors.js";
import { createPluginStores, type PluginStores } from "../../src/index.js";
import { newFile, openTestStore } from "../support/open-store.js";
import { temporaryFolder } from "../support/temporary-folder.js";

interface Places {
  readonly file?: string;
  readonly folder?: string;
}

/** Opens the stores of plugins, in memory by default. */
async function openStores({ file = ":memory:", folder }: Places = {}): Promise<PluginStores> {
  const store = await openTestStore({ file });
  const stores = createPluginStores({ store, ...(folder === undefined ? {} : { folder }) });
  onTestFinished(() => stores.close());
  return stores;
}

const notes: PluginMigration = {
  id: "notes",
  sqlite: "create table notes (id integer primary key, text text, done integer, at real, raw blob)",
  postgres: "create table notes (id bigserial primary key, text text, done boolean)",
};
const titles: PluginMigration = {
  id: "a title for each",
  sqlite: ["alter table notes add column title text", "create index note_title on notes (title)"],
  postgres: ["alter table notes add column title text", "create index note_title on notes (title)"],
};

function openNotes(store: PluginStore, migrations = [notes]): Promise<PluginDatabase> {
  return store.database({ name: "notes", migrations });
}

async function textsIn(database: PluginDatabase): Promise<string[]> {
  const rows = await database.query<{ text: string }>("select text from notes order by id");
  return rows.map(({ text }) => text);
}

describe("plugin values by key", () => {
  it("[SDK-040] can be set, replaced, listed and deleted", async () => {
    const { kv } = (await openStores()).of("guard");
    expect(await kv.get("a")).toBeUndefined();
    await kv.set("a", { list: [1, null, "x"], deep: { yes: true } });
    await kv.set("a", { changed: 1 });
    await kv.set("b/2", 2);
    await kv.set("b/1", null);
    expect(await kv.get("a")).toEqual({ changed: 1 });
    expect(await kv.list()).toEqual([
      { key: "a", value: { changed: 1 } },
      { key: "b/1", value: null },
      { key: "b/2", value: 2 },
    ]);
    expect((await kv.list("b/")).map(({ key }) => key)).toEqual(["b/1", "b/2"]);
    expect(await kv.delete("a")).toBe(true);
    expect(await kv.delete("a")).toBe(false);
    expect(await kv.get("a")).toBeUndefined();
  });

  it("[PLUG-061] are separate for each plugin", async () => {
    const stores = await openStores();
    await stores.of("one").kv.set("key", 1);
    const other = stores.of("two").kv;
    expect(await other.get("key")).toBeUndefined();
    expect(await other.list()).toEqual([]);
    expect(await other.delete("key")).toBe(false);
    expect(await other.compareAndSet("key", 1, 2)).toBe(false);
    expect(await stores.of("one").kv.get("key")).toBe(1);
  });

  it("survive the end of the process", async () => {
    const file = newFile();
    const first = await openTestStore({ file });
    await createPluginStores({ store: first }).of("guard").kv.set("key", "kept");
    await first.close();
    expect(await (await openStores({ file })).of("guard").kv.get("key")).toBe("kept");
  });

  it("[SDK-040] are changed only when they have the expected value", async () => {
    const { kv } = (await openStores()).of("guard");
    expect(await kv.compareAndSet("lock", { owner: 1 }, { owner: 2 })).toBe(false);
    expect(await kv.compareAndSet("lock", undefined, { owner: 1, since: 2 })).toBe(true);
    expect(await kv.compareAndSet("lock", undefined, { owner: 9 })).toBe(false);
    expect(await kv.compareAndSet("lock", { since: 2, owner: 1 }, { owner: 2 })).toBe(true);
    expect(await kv.get("lock")).toEqual({ owner: 2 });
    expect(await kv.compareAndSet("lock", { owner: 2 }, undefined)).toBe(true);
    expect(await kv.list()).toEqual([]);
    expect(await kv.compareAndSet("lock", undefined, undefined)).toBe(true);
  });

  it("are changed by one of many concurrent callers with the same expectation", async () => {
    const { kv } = (await openStores()).of("guard");
    await kv.set("count", 0);
    const add = async (): Promise<void> => {
      const seen = Number(await kv.get("count"));
      if (!(await kv.compareAndSet("count", seen, seen + 1))) await add();
    };
    await Promise.all(Array.from({ length: 20 }, add));
    expect(await kv.get("count")).toBe(20);
  });

  it("[PLUG-061] have limited keys and sizes", async () => {
    const { kv } = (await openStores()).of("guard");
    const atMost = "x".repeat(256 * 1024 - 2);
    await kv.set("k".repeat(512), atMost);
    expect(await kv.get("k".repeat(512))).toBe(atMost);
    const refused = [
      [
        kv.set("key", `${atMost}x`),
        "called store.kv.set with a wrong argument: value: expected at most 262144 bytes of JSON, got 262145; split it",
      ],
      [kv.set("", 1), "key: expected 1 to 512 characters, got 0"],
      [kv.get("k".repeat(513)), "key: expected 1 to 512 characters, got 513"],
      [kv.delete(7 as never), "key: expected a string, got number"],
      [kv.list(null as never), "prefix: expected a string, got null"],
      [
        kv.set("key", undefined as never),
        "value: expected a JSON value: undefined has no JSON form",
      ],
      [
        kv.set("key", {
          toJSON() {
            throw "never";
          },
        } as never),
        "value: expected a JSON value: never",
      ],
      [kv.set("key", 1n as never), "value: expected a JSON value: "],
    ] as const;
    for (const [call, message] of refused) {
      await expect(call).rejects.toThrow(PluginStoreArgumentError);
      await expect(call).rejects.toThrow(message);
    }
    expect((await kv.list()).map(({ key }) => key.length)).toEqual([512]);
  });

  it("behave like a map for any keys and values", async () => {
    const key = fc.oneof(
      fc.constantFrom("a", "a/b", "__proto__", "constructor", "\0", "\\", "😀", "%", "_"),
      fc.string({ minLength: 1, maxLength: 8, unit: "grapheme" }),
    );
    const json = fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<JsonValue>;
    const command = fc.oneof(
      fc.record({ call: fc.constant("set" as const), key, value: json }),
      fc.record({ call: fc.constant("delete" as const), key }),
      fc.record({ call: fc.constant("list" as const), key }),
    );
    const stores = await openStores();
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(command, { maxLength: 20 }), async (commands) => {
        run += 1;
        const { kv } = stores.of(`plugin-${run}`);
        const oracle = new Map<string, JsonValue>();
        for (const step of commands) {
          if (step.call === "set") {
            await kv.set(step.key, step.value);
            oracle.set(step.key, JSON.parse(JSON.stringify(step.value)));
          } else if (step.call === "delete") {
            expect(await kv.delete(step.key)).toBe(oracle.delete(step.key));
          } else {
            const expected = [...oracle.keys()].filter((name) => name.startsWith(step.key));
            const found = (await kv.list(step.key)).map((entry) => entry.key);
            expect(found.toSorted()).toEqual(expected.toSorted());
          }
        }
        for (const [name, value] of oracle) expect(await kv.get(name)).toEqual(value);
        expect(await kv.list()).toHaveLength(oracle.size);
      }),
      { numRuns: 50 },
    );
  });
});

describe.each([["in memory"], ["on files"]])("plugin database %s", (place) => {
  const open = (folder = temporaryFolder()) => openStores(place === "on files" ? { folder } : {});

  it("[SDK-040] accepts numbered parameters and returns rows by column", async () => {
    const database = await openNotes((await open()).of("guard"));
    expect(database.dialect).toBe("sqlite");
    const raw = new Uint8Array([0, 255]);
    expect(
      await database.query("insert into notes (text, done, at, raw) values ($1, $2, $3, $4)", [
        "héllo",
        true,
        1.5,
        raw,
      ]),
    ).toEqual([]);
    const [row] = await database.query("select *, $1 as twice, $1 as again from notes", [null]);
    expect(row).toEqual({
      id: 1,
      text: "héllo",
      done: 1,
      at: 1.5,
      raw: Buffer.from(raw),
      twice: null,
      again: null,
    });
    const returned = "insert into notes (text) values ($1) returning id, text";
    expect(await database.query(returned, ["next"])).toEqual([{ id: 2, text: "next" }]);
  });

  it("keeps whole numbers exact", async () => {
    const database = await openNotes((await open()).of("guard"));
    const large = 9_007_199_254_740_993n;
    const rows = await database.query("select $1 as large, $2 as small, -7 as least", [large, 3]);
    expect(rows).toEqual([{ large, small: 3, least: -7 }]);
  });

  it("[SDK-040] commits a transaction completely or not at all", async () => {
    const database = await openNotes((await open()).of("guard"));
    const add = "insert into notes (text) values ($1)";
    expect(
      await database.transaction(async (inside) => {
        await inside.query(add, ["one"]);
        await inside.query(add, ["two"]);
        return "committed";
      }),
    ).toBe("committed");
    const failure = new Error("changed my mind");
    const undone = database.transaction(async (inside) => {
      await inside.query(add, ["three"]);
      throw failure;
    });
    await expect(undone).rejects.toBe(failure);
    expect(await textsIn(database)).toEqual(["one", "two"]);
  });

  it("does not commit a transaction in which a statement failed", async () => {
    const database = await openNotes((await open()).of("guard"));
    const caught = database.transaction(async (inside) => {
      await inside.query("insert into notes (text) values ('kept?')");
      await inside.query("insert into nowhere values (1)").catch(() => undefined);
    });
    await expect(caught).rejects.toMatchObject({ code: "TRANSACTION_MISUSE" });
    expect(await textsIn(database)).toEqual([]);
  });

  it("rejects the outer database inside its own transaction", async () => {
    const database = await openNotes((await open()).of("guard"));
    const stuck = database.transaction(() => database.query("select 1"));
    await expect(stuck).rejects.toMatchObject({ code: "TRANSACTION_MISUSE" });
  });

  it("reports why it rejects a statement", async () => {
    const database = await openNotes((await open()).of("guard"));
    const refused = [
      ["select * from nowhere", [], "no such table: nowhere"],
      ["select ? as x", [1], "write $1, $2 … for parameters"],
      ["select $2 as x", [1], "the statement uses $2, which was not given"],
      ["select 1; select 2", [], "run one statement at a time"],
      ["insert into notes (id) values (1), (1)", [], "UNIQUE constraint failed: notes.id"],
    ] as const;
    for (const [sql, params, message] of refused) {
      const call = database.query(sql, params);
      await expect(call, sql).rejects.toThrow(PluginQueryError);
      await expect(call, sql).rejects.toThrow(message);
      await expect(call, sql).rejects.toMatchObject({ pluginId: "guard", database: "notes" });
    }
  });

  it("rejects statements that access anything outside it", async () => {
    const database = await openNotes((await open()).of("guard"));
    for (const sql of [
      "attach database '/tmp/other.db' as other",
      "-- harmless\n/* so */ ATTACH 'x' AS y",
      "commit",
      "Begin",
      "vacuum into '/tmp/copy.db'",
      "pragma journal_mode = delete",
      "",
      "  -- nothing",
    ]) {
      await expect(database.query(sql), sql).rejects.toThrow(PluginStoreArgumentError);
    }
    await expect(database.query("select $1", [new Date() as never])).rejects.toThrow(
      "$1: expected a string, number, bigint, boolean, null or Uint8Array, got object; keep times",
    );
    await expect(database.query(7 as never)).rejects.toThrow(
      "expected the text of a statement, got number",
    );
    await expect(database.query("select 1", "x" as never)).rejects.toThrow(
      "params: expected a list, got string",
    );
    expect(await database.query(" /* a */ -- b\n select 1 as one")).toEqual([{ one: 1 }]);
  });

  it("[SDK-040] [PLUG-061] runs each migration once, in order, including later additions", async () => {
    const stores = await open();
    const first = await openNotes(stores.of("guard"));
    await first.query("insert into notes (text) values ('old')");
    const again = await openNotes(stores.of("guard"), [notes, titles]);
    await openNotes(stores.of("guard"), [notes, titles]);
    await again.query("update notes set title = 'T'");
    expect(await again.query("select text, title from notes")).toEqual([
      { text: "old", title: "T" },
    ]);
    const applied = await again.query("select name from openclaw_migrations order by rowid");
    expect(applied).toEqual([{ name: "notes" }, { name: "a title for each" }]);
  });

  it("[PLUG-061] runs migrations once when it is opened concurrently", async () => {
    const { database } = (await open()).of("guard");
    const migrations = [notes, titles];
    const all = await Promise.all(
      Array.from({ length: 8 }, () => database({ name: "notes", migrations })),
    );
    for (const one of all) expect(await one.query("select * from notes")).toEqual([]);
  });

  it.each<[string, readonly PluginMigration[], string]>([
    [
      "changed",
      [{ ...notes, sqlite: "create table notes (other text)" }],
      'migration "notes" differs from the applied one',
    ],
    ["renamed", [{ ...notes, id: "other" }], 'migration "other" differs from the applied one'],
    [
      "inserted at the start",
      [titles, notes],
      'migration "a title for each" differs from the applied one, or was inserted before',
    ],
    ["missing", [], 'the database has "notes", which this version of the plugin does not have'],
    [
      "failing",
      [notes, { ...titles, sqlite: ["create table half (a)", "drop table nowhere"] }],
      'migration "a title for each" failed: no such table: nowhere; it was rolled back',
    ],
    [
      "at odds with a constraint",
      [notes, { ...titles, sqlite: "insert into notes (id) values (1), (1)" }],
      'migration "a title for each" failed: ',
    ],
    [
      "two statements in one text",
      [notes, { ...titles, sqlite: "create table a (b); create table c (d)" }],
      'migration "a title for each" failed: The supplied SQL string contains more than one statement; give its statements as a list',
    ],
  ])("[PLUG-061] rejects a migration that was %s", async (_what, migrations, message) => {
    const store = (await open()).of("guard");
    const database = await openNotes(store);
    const opened = openNotes(store, [...migrations]);
    await expect(opened).rejects.toThrow(PluginMigrationError);
    await expect(opened).rejects.toThrow(
      `database "notes" of plugin "guard" was not opened: ${message}`,
    );
    const tables = "select name from sqlite_schema where type = 'table' order by name";
    expect(await database.query(tables)).toEqual([
      { name: "notes" },
      { name: "openclaw_migrations" },
    ]);
  });

  it.each<[string, object, string]>([
    ["name", { name: "../notes", migrations: [] }, "name: expected 1 to 64 of a-z 0-9 _ -"],
    ["list", { name: "notes", migrations: {} }, "migrations: expected a list, got object"],
    [
      "id",
      { name: "notes", migrations: [{ ...notes, id: "" }] },
      "migrations[0].id: expected a non-empty string",
    ],
    [
      "repeated id",
      { name: "notes", migrations: [notes, notes] },
      'migrations[1].id: duplicate "notes"',
    ],
    [
      "statement",
      { name: "notes", migrations: [{ ...notes, sqlite: "commit" }] },
      'migrations[0].sqlite: a statement may not begin with "commit"',
    ],
  ])("rejects an invalid %s", async (_what, options, message) => {
    const opened = (await open()).of("guard").database(options as never);
    await expect(opened).rejects.toThrow(PluginStoreArgumentError);
    await expect(opened).rejects.toThrow(message);
  });

  it("[PLUG-061] is separate for each name and plugin", async () => {
    const stores = await open();
    const mine = await openNotes(stores.of("one"));
    await mine.query("insert into notes (text) values ('mine')");
    const other = await openNotes(stores.of("two"));
    const second = await stores.of("one").database({ name: "second", migrations: [notes] });
    expect([await textsIn(mine), await textsIn(other), await textsIn(second)]).toEqual([
      ["mine"],
      [],
      [],
    ]);
  });

  it("is deleted together with session values when the plugin is removed", async () => {
    const store = await openTestStore();
    const stores = createPluginStores({ store });
    onTestFinished(() => stores.close());
    const sessionKey = "agent:main:main";
    await store.sessions.open(sessionKey, { agentId: "main" });
    for (const pluginId of ["gone", "stays"]) {
      await store.sessions.extensions.patch({ pluginId, sessionKey, namespace: "n" }, pluginId);
      await store.sessions.injections.enqueue(pluginId, { sessionKey, text: pluginId });
    }
    await stores.remove("gone");
    const values = await store.sessions.extensions.ofSessions([sessionKey]);
    expect(values.map(({ value }) => value)).toEqual(["stays"]);
    const { injections } = await store.sessions.injections.drain(sessionKey, "run", () => true);
    expect(injections.map(({ text }) => text)).toEqual(["stays"]);
  });

  it("[PLUG-061] is deleted together with all values when the plugin is removed, and those of others stay", async () => {
    const stores = await open();
    for (const id of ["gone", "stays"]) {
      const store = stores.of(id);
      await store.kv.set("key", id);
      await (await openNotes(store)).query("insert into notes (text) values ('here')");
    }
    await stores.remove("gone");
    await stores.remove("never there");
    expect(await stores.of("gone").kv.list()).toEqual([]);
    expect(await textsIn(await openNotes(stores.of("gone")))).toEqual([]);
    expect(await stores.of("stays").kv.get("key")).toBe("stays");
    expect(await textsIn(await openNotes(stores.of("stays")))).toEqual(["here"]);
  });

  it("uses the host's clock", async () => {
    const store = await openTestStore();
    const stores = createPluginStores({
      store,
      now: () => 1_700_000_000_000,
      durability: "process",
    });
    onTestFinished(() => stores.close());
    const database = await openNotes(stores.of("guard"));
    expect(await database.query("select applied_at from openclaw_migrations")).toEqual([
      { applied_at: 1_700_000_000_000 },
    ]);
  });

  it("is closed with the plugin stores, and the host's store is not", async () => {
    const store = await openTestStore();
    const stores = createPluginStores({ store });
    const plugin = stores.of("guard");
    const database = await openNotes(plugin);
    await stores.close();
    await expect(database.query("select 1")).rejects.toThrow(StoreClosedError);
    await expect(openNotes(plugin)).rejects.toThrow(StoreClosedError);
    await plugin.kv.set("still", 1);
    expect(await plugin.kv.get("still")).toBe(1);
  });
});

describe("files of plugin databases", () => {
  it("[PLUG-061] are created on first use, one for each name, with access for their owner only", async () => {
    const folder = join(temporaryFolder(), "plugins");
    const stores = await openStores({ folder });
    const store = stores.of("@acme/guard");
    await store.kv.set("key", 1);
    expect(() => readdirSync(folder)).toThrow("ENOENT");
    await openNotes(store);
    expect(readdirSync(folder)).toEqual(["%40acme%2Fguard"]);
    const own = join(folder, "%40acme%2Fguard");
    expect(readdirSync(own)).toContain("notes.db");
    expect(statSync(own).mode & 0o777).toBe(0o700);
    for (const file of readdirSync(own)) expect(statSync(join(own, file)).mode & 0o077).toBe(0);
    await stores.remove("@acme/guard");
    expect(readdirSync(folder)).toEqual([]);
  });

  it("stay in their folder for any id", async () => {
    const outside = temporaryFolder();
    const folder = join(outside, "plugins");
    const stores = await openStores({ folder });
    for (const id of ["..", ".", "../../x"]) await openNotes(stores.of(id));
    expect(readdirSync(outside)).toEqual(["plugins"]);
    expect(readdirSync(folder).toSorted()).toEqual(["%2E", "%2E.", "%2E.%2F..%2Fx"]);
  });

  it("keep their content across a reopen", async () => {
    const folder = temporaryFolder();
    const first = await openStores({ folder });
    await (await openNotes(first.of("guard"))).query("insert into notes (text) values ('kept')");
    await first.close();
    const second = await openStores({ folder });
    expect(await textsIn(await openNotes(second.of("guard")))).toEqual(["kept"]);
  });

  it("are reported as damaged and not as a failed migration", async () => {
    const folder = temporaryFolder();
    const first = await openStores({ folder });
    await openNotes(first.of("guard"));
    await first.close();
    const file = join(folder, "guard", "notes.db");
    const pages = readFileSync(file);
    writeFileSync(file, pages.fill(0xff, 4096));
    const opened = openNotes((await openStores({ folder })).of("guard"));
    await expect(opened).rejects.toMatchObject({ code: "STORE_UNAVAILABLE", reason: "corrupt" });
  });

  it("do not prevent closing when they cannot be opened", async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "guard", "notes.db"), { recursive: true });
    const stores = await openStores({ folder });
    const opened = openNotes(stores.of("guard"));
    await Promise.all([expect(opened).rejects.toThrow(), stores.close()]);
  });

  it("can be opened once the obstacle is removed", async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "guard", "notes.db"), { recursive: true });
    const stores = await openStores({ folder });
    await expect(openNotes(stores.of("guard"))).rejects.toMatchObject({
      code: "STORE_UNAVAILABLE",
    });
    await stores.remove("guard");
    expect(await textsIn(await openNotes(stores.of("guard")))).toEqual([]);
  });
});
