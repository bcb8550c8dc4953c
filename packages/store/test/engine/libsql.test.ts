import { statSync } from "node:fs";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { databasePlace } from "../../src/engine/database-url.js";
import { openLibsqlServer } from "../../src/engine/libsql/libsql.js";
import { DatabaseInUseError, StoreUnavailableError } from "../../src/errors.js";
import { createPluginStores, openStore } from "../../src/index.js";
import { backupDatabase, copyDatabase, databaseStatus } from "../../src/upkeep.js";
import { runBeside } from "../support/database-beside.js";
import { filledFile } from "../support/filled-file.js";
import { startLibsqlServer } from "../support/libsql-server.js";
import {
  emptyContent,
  inbound,
  newFile,
  openTestStore,
  queueTurn,
  START,
} from "../support/open-store.js";
import { temporaryFolder } from "../support/temporary-folder.js";

describe("libsql: URL", () => {
  it.each([
    ["libsql:data.db", { file: "/state/data.db" }],
    ["libsql:/srv/data.db", { file: "/srv/data.db" }],
    ["libsql:///srv/data.db", { file: "/srv/data.db" }],
  ])("[SCALE-002] %s is a file", (url, place) => {
    expect(databasePlace(url, "/state")).toEqual({ engine: "libsql", ...place });
  });

  it("[SCALE-002] with a host is a server, whose name lacks the token", () => {
    expect(databasePlace("libsql://db.example/notes?authToken=s3cret")).toEqual({
      engine: "libsql",
      connection: "libsql://db.example/notes/?authToken=s3cret",
      name: "libsql://db.example/notes",
    });
  });

  it.each([
    ["libsql:", /must be a file: URL with a path/],
    ["libsql://db.example?tls=0", /must be a port with tls=0/],
    ["libsql://db.example?tls=no", /must be tls=0 or tls=1/],
    ["libsql://db.example?token=x", /must be no parameter but authToken and tls/],
    ["libsql://ada:pw@db.example", /must be a token as \?authToken=/],
  ])("rejects %s", (url, expected) => {
    expect(() => databasePlace(url)).toThrow(expected);
    expect(() => databasePlace(url)).not.toThrow(/pw/);
  });
});

describe("file that libSQL opens", () => {
  it("[SCALE-002] is private, has one host, and can be backed up while it is open", async () => {
    const file = newFile();
    const url = `libsql:${file}`;
    const store = await openTestStore({ url, exclusive: true });
    expect(store.database).toMatchObject({ dialect: "libsql", name: file });
    await store.messages.inbox.accept(inbound());
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await expect(openStore({ url, exclusive: true })).rejects.toThrow(DatabaseInUseError);
    await expect(openStore({ file, exclusive: true })).rejects.toThrow(DatabaseInUseError);
    const backup = `${file}.backup`;
    await backupDatabase(file, backup);
    const copy = await openTestStore({ file: backup });
    expect(await copy.messages.inbox.get("message")).toMatchObject({ content: "hello" });
    expect(await databaseStatus(databasePlace(url))).toMatchObject({
      dialect: "libsql",
      exists: true,
    });
  });

  it("[SCALE-002] can be opened by SQLite afterwards, and the other way round", async () => {
    const file = newFile();
    for (const [number, place] of [{ file }, { url: `libsql:${file}` }, { file }].entries()) {
      const store = await openStore({ ...place, exclusive: true });
      for (let before = 0; before < number; before += 1) {
        expect(await store.messages.inbox.get(`m${before}`)).toBeDefined();
      }
      await store.messages.inbox.accept(inbound({ id: `m${number}` }));
      await store.close();
    }
  });

  it("continues after a statement that failed", async () => {
    const store = await openTestStore({ url: `libsql:${newFile()}` });
    await queueTurn(store);
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await expect(
        store.turns.enqueue({
          ...{
            runId: `run ${attempt}`,
            sessionKey: "nowhere",
            sessionId: "none",
            agentId: "agent",
          },
          ...{ inboxId: "message", trigger: "user" },
        }),
      ).rejects.toThrow();
      await store.messages.inbox.accept(inbound({ id: `after ${attempt}` }));
      expect(await store.messages.inbox.get(`after ${attempt}`)).toBeDefined();
    }
  });

  it("[MEM-017] has vectors for plugins", async () => {
    const folder = temporaryFolder();
    const store = await openTestStore({ url: `libsql:${newFile()}` });
    const stores = createPluginStores({ store, folder, files: "libsql" });
    const database = await stores.of("notes").database({
      name: "notes",
      vectors: true,
      migrations: [
        {
          id: "1",
          sqlite: "create table notes (id integer primary key, at f32_blob(2), big integer)",
          postgres: "select 1",
        },
      ],
    });
    expect(database.vectors).toEqual({ extension: "libsql" });
    const vector = (x: number, y: number) => new Uint8Array(Float32Array.of(x, y).buffer);
    const big = 2n ** 60n;
    await database.query("insert into notes (at, big) values ($2, $1)", [big, vector(0, 1)]);
    await database.query("insert into notes (at, big) values ($1, $2)", [vector(1, 0), true]);
    const rows = await database.query(
      "select id, big, vector_distance_cos(at, $1) as distance from notes order by distance",
      [vector(2, 0)],
    );
    expect(rows).toEqual([
      { id: 2, big: 1, distance: 0 },
      { id: 1, big, distance: 1 },
    ]);
    const cut = database.query("insert into notes (id) values ($1)", ["a\0b"]);
    await expect(cut).rejects.toThrow(/NUL character/);
    await stores.close();
  });
});

describe("database of a libSQL server", () => {
  it("[SCALE-002] belongs to one host at a time, which is named", async () => {
    await using server = await startLibsqlServer();
    const url = server.url(await emptyContent());
    const first = await openStore({ url, exclusive: true });
    await first.messages.inbox.accept(inbound());
    const second = openStore({ url, exclusive: true });
    await expect(second).rejects.toThrow(DatabaseInUseError);
    await expect(second).rejects.toThrow(new RegExp(`process ${process.pid} of `));
    await first.close();
    const third = await openStore({ url, exclusive: true });
    expect(await third.messages.inbox.get("message")).toBeDefined();
    await third.close();
  });

  it("[SCALE-002] takes nothing more from a host that another one has replaced", async () => {
    await using server = await startLibsqlServer();
    const url = server.url(await emptyContent());
    const lost = await openTestStore({ url, exclusive: true });
    await lost.messages.inbox.accept(inbound());
    await runBeside({ url }, "update openclaw_host set until = 0");
    const next = await openTestStore({ url, exclusive: true });
    await expect(lost.messages.inbox.accept(inbound({ id: "late" }))).rejects.toThrow(
      DatabaseInUseError,
    );
    expect(await next.messages.inbox.get("late")).toBeUndefined();
    await next.messages.inbox.accept(inbound({ id: "next" }));
  });

  it.each(["cut", "refuse"] as const)(
    "[SCALE-031] knows whether a commit succeeded whose answer was lost (%s)",
    async (kind) => {
      await using server = await startLibsqlServer();
      const store = await openTestStore({ url: server.url(await emptyContent()) });
      server.faults.push({ at: /"COMMIT"/, kind });
      const accepted = store.messages.inbox.accept(inbound());
      if (kind === "cut") expect(await accepted).toMatchObject({ duplicate: false });
      else await expect(accepted).rejects.toMatchObject({ reason: "unreachable" });
      const found = await store.messages.inbox.get("message");
      expect(found !== undefined).toBe(kind === "cut");
      await store.messages.inbox.accept(inbound({ id: "next" }));
    },
  );

  it("[SCALE-031] says that the outcome is unknown when the server stays away after a commit", async () => {
    await using server = await startLibsqlServer();
    const place = databasePlace(server.url(await emptyContent()));
    if (place.engine !== "libsql" || place.file !== undefined) throw new Error("not a server");
    const { unit } = await openLibsqlServer({
      ...{ place, durability: "power", now: Date.now, patienceMs: 1 },
    });
    server.faults.push({ at: /"COMMIT"/, kind: "cut" });
    for (let times = 0; times < 3; times += 1)
      server.faults.push({ at: /openclaw_commits where/, kind: "refuse" });
    const written = unit.atomic(async (inside) => {
      await sql`create table notes (text text)`.execute(inside.query());
    });
    await expect(written).rejects.toMatchObject({ reason: "outcome-unknown" });
    server.faults.length = 0;
    await unit.close();
  });

  it("rejects a wrong token, and a server that is not there", async () => {
    const server = await startLibsqlServer();
    const url = server.url(await emptyContent());
    server.token = "right";
    await expect(openStore({ url: `${url}&authToken=wrong` })).rejects.toMatchObject({
      code: StoreUnavailableError.code,
      reason: "access-denied",
    });
    const store = await openStore({ url: `${url}&authToken=right` });
    expect(store.database.name).not.toContain("right");
    await store.close();
    await server[Symbol.asyncDispose]();
    await expect(openStore({ url })).rejects.toMatchObject({ reason: "unreachable" });
  });

  it("[SCALE-004] compares times with the clock of the server", async () => {
    await using server = await startLibsqlServer();
    const store = await openStore({ url: server.url(await emptyContent()), now: () => START });
    expect(Math.abs((await store.clock()) - Date.now())).toBeLessThan(60_000);
    await store.close();
  });
});

describe("copy to a libSQL server and back", () => {
  it("[SCALE-026] [SCALE-027] keeps every row", async () => {
    await using server = await startLibsqlServer();
    const source = await filledFile();
    const there = databasePlace(server.url(await emptyContent()));
    const back = databasePlace(`file:${newFile()}`);
    for (const [from, to] of [
      [source, there],
      [there, back],
    ] as const) {
      const compared = await copyDatabase({ from, to });
      expect(compared.filter(({ isEqual }) => !isEqual)).toEqual([]);
      expect(compared.reduce((sum, { target }) => sum + target.rows, 0)).toBeGreaterThan(20);
    }
  });
});
