import { randomUUID } from "node:crypto";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TemporaryFolder, temporaryFolder } from "@openclaw/foundation/testing";
import type { PluginDataPort } from "@openclaw/plugin-sdk/store";
import { databaseData } from "@openclaw/plugin-sdk/store";
import { createPluginStores, openStore } from "@openclaw/store";
import { describe, expect, inject, it } from "vitest";
import { openStateFolder } from "../../src/state/folder.js";
import { openHostStore } from "../../src/state/store.js";
import {
  type DatabaseMove,
  type DatabaseOwner,
  hostDatabaseStatus,
  moveHostDatabase,
} from "../../src/upkeep/database.js";

/** Values whose form differs between engines. */
const NOTES = {
  name: "notes",
  migrations: [
    {
      id: "notes",
      sqlite: [
        "create table authors (id integer primary key autoincrement, name text not null)",
        `create table notes (
          author integer not null references authors (id), path text not null, done integer not null, tags text not null,
          written_at text not null, seen_at text, large integer, share real, raw blob, primary key (author, path))`,
        "create table words (word text)",
      ],
      postgres: [
        "create table authors (id bigserial primary key, name text not null)",
        `create table notes (
          author bigint not null references authors (id), path text not null, done boolean not null, tags jsonb not null,
          written_at timestamptz not null, seen_at timestamptz, large bigint, share double precision, raw bytea,
          primary key (author, path))`,
        "create table words (word text)",
      ],
    },
  ],
};
const DATA = {
  ...NOTES,
  tables: ["authors", "notes"],
  derived: ["words"],
  json: { notes: ["tags"] },
};
const PORT = databaseData(DATA);

interface Place {
  readonly state: ReturnType<typeof openStateFolder>;
  readonly onFile: DatabaseOwner;
  readonly url: string;
  readonly onServer: DatabaseOwner;
}

function placeIn(folder: TemporaryFolder): Place {
  const state = openStateFolder(join(folder.path, "state"));
  const url = `${inject("postgresUrl")}?schema=moved_${randomUUID()}`;
  return {
    state,
    url,
    onFile: { state, configuration: undefined },
    onServer: { state, configuration: { url } },
  };
}

function ports(port: PluginDataPort = PORT): Pick<DatabaseMove, "ports"> {
  return {
    ports: async (ids) =>
      new Map(ids.map((id) => [id, id === "notes" ? { port } : { reason: "it has no data port" }])),
  };
}

async function withNotes<Result>(
  owner: DatabaseOwner,
  work: (database: Awaited<ReturnType<typeof databaseOf>>) => Promise<Result>,
): Promise<Result> {
  const stores = await openHostStore({ ...owner, environment: {} });
  try {
    return await work(await databaseOf(stores.pluginStores));
  } finally {
    await stores.close();
  }
}

function databaseOf(stores: ReturnType<typeof createPluginStores>) {
  return stores.of("notes").database(NOTES);
}

/** Fills the database of the plugin with more rows than a batch has. */
async function fill(owner: DatabaseOwner): Promise<void> {
  await withNotes(owner, (database) =>
    database.transaction(async (inside) => {
      await inside.query("insert into authors (name) values ('Ada'), ('Bo')");
      const columns = "(author, path, done, tags, written_at, seen_at, large, share, raw)";
      for (let index = 0; index < 600; index += 1) {
        await inside.query(
          `insert into notes ${columns} values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
          [
            1 + (index % 2),
            `note ${index} ä`,
            index % 3 === 0,
            '{"b": [1, 2], "a": "x"}',
            "2026-03-09T23:30:15.120Z",
            index % 2 === 0 ? null : "2026-03-10T00:00:00.000Z",
            index === 0 ? 9_007_199_254_740_993n : index,
            index / 7,
            new Uint8Array([0, index % 256, 255]),
          ],
        );
      }
      await inside.query("insert into words values ('derived')");
    }),
  );
}

async function exported(owner: DatabaseOwner): Promise<unknown[]> {
  return withNotes(owner, async (database) => {
    const rows: unknown[] = [];
    const store = { database: async () => database };
    for await (const batch of PORT.exportData(store)) {
      rows.push(
        ...batch.rows.map((row) => ({
          ...row,
          raw: row.raw && Buffer.from(row.raw as Uint8Array),
        })),
      );
    }
    return rows;
  });
}

describe("moveHostDatabase with plugins", () => {
  it("[SCALE-640] [SDK-641] moves the data of a plugin to PostgreSQL and back, and compares counts and checksums", async () => {
    using folder = temporaryFolder();
    const { onFile, onServer, url, state } = placeIn(folder);
    await fill(onFile);
    const before = await exported(onFile);
    const planned = await moveHostDatabase(onFile, { url, dryRun: true, ...ports() });
    const counts = [
      { table: "authors", rows: 2 },
      { table: "notes", rows: 600 },
    ];
    expect(planned.plugins).toEqual([
      { pluginId: "notes", databases: ["notes"], outcome: "planned", counts, tables: [] },
    ]);
    const there = await moveHostDatabase(onFile, { url, ...ports() });
    expect(there.plugins).toMatchObject([{ outcome: "moved", counts }]);
    for (const { source, target, isEqual } of there.plugins[0]?.tables ?? []) {
      expect(isEqual).toBe(true);
      expect(target).toEqual(source);
    }
    expect(await exported(onServer)).toEqual(before);
    expect(await exported(onFile)).toEqual(before);
    // A new row continues after the copied ones.
    await withNotes(onServer, (database) =>
      database.query("insert into authors (name) values ('Cleo')"),
    );
    const rows = await exported(onServer);
    expect(rows).toContainEqual(expect.objectContaining({ id: 3, name: "Cleo" }));

    const back = `file:${join(folder.path, "back.db")}`;
    const returned = await moveHostDatabase(onServer, { url: back, ...ports() });
    const [plugin] = returned.plugins;
    expect(plugin?.tables.every(({ isEqual }) => isEqual)).toBe(true);
    expect(await exported({ state, configuration: { url: back } })).toEqual(rows);
    // The files of the time before the first move are kept.
    expect(plugin?.kept).toContain("plugin-data.before-migrate-");
    expect(readdirSync(plugin?.kept ?? "")).toContain("notes.db");
  });

  it("[SCALE-641] stops before anything is copied, and names each plugin whose data cannot be moved", async () => {
    using folder = temporaryFolder();
    const { onFile, url, state } = placeIn(folder);
    await fill(onFile);
    const store = await openStore({ file: state.databaseFile });
    const stores = createPluginStores({ store, folder: state.pluginDataDir });
    const create = "create table seen (id text primary key)";
    const seen = [{ id: "seen", sqlite: create, postgres: create }];
    await stores.of("other").database({ name: "seen", migrations: seen });
    await stores.of("@scope/third").database({ name: "seen", migrations: seen });
    await stores.close();
    await store.close();
    const move = moveHostDatabase(onFile, { url, ...ports() });
    await expect(move).rejects.toMatchObject({
      code: "COPY_REFUSED",
      message: expect.stringMatching(
        /nothing was copied.*"@scope\/third" \(it has no data port\), plugin "other" \(it has no data port\).*--without @scope\/third --without other/,
      ),
    });
    expect(await hostDatabaseStatus({ state, configuration: { url } })).toMatchObject({
      exists: false,
    });
    const mistaken = moveHostDatabase(onFile, { url, ...ports(), without: ["othr"] });
    await expect(mistaken).rejects.toThrow(/--without names "othr".*"notes"/);
    const { plugins } = await moveHostDatabase(onFile, {
      url,
      ...ports(),
      without: ["other", "@scope/third"],
    });
    expect(plugins.map(({ pluginId, outcome }) => [pluginId, outcome])).toEqual([
      ["@scope/third", "left-behind"],
      ["notes", "moved"],
      ["other", "left-behind"],
    ]);
  });

  it("[SCALE-641] stops for a database that the port of its plugin does not move", async () => {
    using folder = temporaryFolder();
    const { onFile, url } = placeIn(folder);
    await fill(onFile);
    const move = moveHostDatabase(onFile, { url, ...ports({ ...PORT, databases: ["other"] }) });
    await expect(move).rejects.toThrow(/its data port does not move the database "notes"/);
  });

  it("[SCALE-640] stops for a table that the port of its plugin does not name", async () => {
    using folder = temporaryFolder();
    const { onFile, url } = placeIn(folder);
    await fill(onFile);
    const forgetful = databaseData({ ...DATA, derived: [] });
    await expect(
      moveHostDatabase(onFile, { url, dryRun: true, ...ports(forgetful) }),
    ).rejects.toMatchObject({
      code: "PLUGIN_DATA_NOT_COPIED",
      message: expect.stringContaining('the table "words" cannot be moved'),
    });
  });

  it("[SCALE-641] stops before anything is copied when the target has data of a plugin; empty databases do not count", async () => {
    using folder = temporaryFolder();
    const { onFile, onServer, url } = placeIn(folder);
    await fill(onFile);
    await withNotes(onServer, (database) =>
      database.query("insert into authors (name) values ('Zoe')"),
    );
    await expect(moveHostDatabase(onFile, { url, ...ports() })).rejects.toMatchObject({
      code: "COPY_REFUSED",
      message: expect.stringContaining('it already has data of plugin "notes"'),
    });
    expect((await hostDatabaseStatus(onServer)).copyingFrom).toBeUndefined();
    await withNotes(onServer, (database) => database.query("delete from authors"));
    await moveHostDatabase(onFile, { url, ...ports() });
    expect(await exported(onServer)).toEqual(await exported(onFile));
  });

  it("[SCALE-642] copies a plugin again after an interruption at any batch; no host opens the target before", async () => {
    using folder = temporaryFolder();
    const { onFile, onServer, url } = placeIn(folder);
    await fill(onFile);
    const before = await exported(onFile);
    let batches = 0;
    for (const ending of [1, 2]) {
      batches = 0;
      const cut = moveHostDatabase(onFile, {
        url,
        ...ports(),
        onPluginProgress() {
          batches += 1;
          if (batches === ending) throw new Error("killed");
        },
      });
      await expect(cut).rejects.toThrow("killed");
      await expect(exported(onServer)).rejects.toMatchObject({ code: "DATABASE_INCOMPLETE" });
    }
    const { plugins } = await moveHostDatabase(onFile, { url, ...ports() });
    expect(plugins[0]?.tables.map(({ isEqual }) => isEqual)).toEqual([true, true]);
    expect(await exported(onServer)).toEqual(before);
  });

  it("[SCALE-642] copies a plugin again when its source changed after an interruption", async () => {
    using folder = temporaryFolder();
    const { onFile, onServer, url } = placeIn(folder);
    await fill(onFile);
    const store = await openStore({ file: onFile.state.databaseFile });
    const stores = createPluginStores({ store, folder: onFile.state.pluginDataDir });
    await stores.of("zebra").database(NOTES);
    await stores.close();
    await store.close();
    const failing: PluginDataPort = {
      ...PORT,
      importData: () => Promise.reject(new Error("disk full")),
    };
    const both = (zebra: PluginDataPort): Pick<DatabaseMove, "ports"> => ({
      ports: async () =>
        new Map([
          ["notes", { port: PORT }],
          ["zebra", { port: zebra }],
        ]),
    });
    await expect(moveHostDatabase(onFile, { url, ...both(failing) })).rejects.toMatchObject({
      code: "PLUGIN_DATA_NOT_COPIED",
      message: expect.stringContaining('the data of plugin "zebra" was not copied: disk full'),
    });
    await withNotes(onFile, (database) =>
      database.query("update authors set name = 'Ida' where id = 1"),
    );
    await moveHostDatabase(onFile, { url, ...both(PORT) });
    expect(await exported(onServer)).toContainEqual(expect.objectContaining({ name: "Ida" }));
  });

  it("[SCALE-640] reads the source only, and leaves a database that a plugin opens itself in its place", async () => {
    using folder = temporaryFolder();
    const { onFile, url, state } = placeIn(folder);
    await fill(onFile);
    const own = join(state.pluginDataDir, "notes", "own.db");
    writeFileSync(own, "");
    const writing: PluginDataPort = {
      ...PORT,
      async *exportData(store) {
        const database = await store.database(NOTES);
        await database.query("delete from authors");
        yield* PORT.exportData(store);
      },
    };
    await expect(moveHostDatabase(onFile, { url, ...ports(writing) })).rejects.toThrow(
      /may not begin with "delete": the database is only read/,
    );
    await moveHostDatabase(onFile, { url, ...ports() });
    expect(existsSync(own)).toBe(true);
  });

  it("[SCALE-641] requires a source that has the migrations of the plugin", async () => {
    using folder = temporaryFolder();
    const { onFile, onServer, url } = placeIn(folder);
    await fill(onFile);
    const added = "alter table authors add column mail text";
    const newer = databaseData({
      ...DATA,
      migrations: [...NOTES.migrations, { id: "mail", sqlite: added, postgres: added }],
    });
    await expect(moveHostDatabase(onFile, { url, ...ports(newer) })).rejects.toThrow(
      /its migration "mail" is pending.*start the gateway with this version of the plugin once/,
    );
    expect(await hostDatabaseStatus(onServer)).toMatchObject({ exists: false });
  });

  it("[SCALE-640] leaves the databases of plugins in place between SQLite files", async () => {
    using folder = temporaryFolder();
    const { onFile, state } = placeIn(folder);
    await fill(onFile);
    const url = `file:${join(folder.path, "copy.db")}`;
    const { plugins } = await moveHostDatabase(onFile, { url });
    expect(plugins).toMatchObject([{ pluginId: "notes", outcome: "in-place" }]);
    expect(await exported({ state, configuration: { url } })).toHaveLength(602);
  });
});
