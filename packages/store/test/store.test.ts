import { closeSync, openSync, renameSync, writeFileSync, writeSync } from "node:fs";
import BetterSqlite from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { openStore, RowDataError, StoreUnavailableError } from "../src/index.js";
import { inbound, newFile, openTestStore, queueTurn } from "./open-store.js";

/** Overwrites bytes of a file at rest. */
function patch(file: string, offset: number, bytes: Uint8Array): void {
  const descriptor = openSync(file, "r+");
  writeSync(descriptor, bytes, 0, bytes.length, offset);
  closeSync(descriptor);
}

/** Changes the database behind the store's back. */
function tamper(file: string, statement: string): void {
  const database = new BetterSqlite(file);
  database.exec(statement);
  database.close();
}

describe("openStore", () => {
  it("keeps everything in memory when asked to, each store for itself", async () => {
    const [one, other] = [
      await openTestStore({ file: ":memory:" }),
      await openTestStore({ file: ":memory:" }),
    ];
    await queueTurn(one);
    expect(await one.turns.unfinished()).toHaveLength(1);
    expect(await other.turns.unfinished()).toEqual([]);
    await one.check();
  });

  it("uses the system's clock unless it is given one", async () => {
    const store = await openStore({ file: ":memory:" });
    const before = Date.now();
    const { session } = await store.sessions.open("session", { agentId: "agent" });
    expect(session.createdAt).toBeGreaterThanOrEqual(before);
    expect(session.createdAt).toBeLessThanOrEqual(Date.now());
    await store.close();
  });

  it("lets two stores of one process share a file", async () => {
    const file = newFile();
    const [one, other] = [await openTestStore({ file }), await openTestStore({ file })];
    await one.inbox.accept(inbound({ id: "a", idempotencyKey: "key" }));
    const repeat = await other.inbox.accept(inbound({ id: "b", idempotencyKey: "key" }));
    expect([repeat.row.id, repeat.duplicate]).toEqual(["a", true]);
    expect(await one.sessions.open("s", { agentId: "x" })).toMatchObject({ created: true });
    expect(await other.sessions.open("s", { agentId: "x" })).toMatchObject({ created: false });
  });

  it("says what to do about a file that is no database", async () => {
    const file = newFile();
    writeFileSync(
      file,
      "this is a text file, and long enough to be taken for a database header ".repeat(9),
    );
    const opened = openStore({ file });
    await expect(opened).rejects.toThrow(StoreUnavailableError);
    await expect(opened).rejects.toMatchObject({
      file,
      reason: "corrupt",
      detail: "SQLITE_NOTADB",
    });
    await expect(opened).rejects.toThrow(/restore a backup, or move the file aside/);
  });

  it("says what to do about a damaged database", async () => {
    const file = newFile();
    const store = await openTestStore({ file });
    await store.close();
    // Past the first page, which holds the schema, every page is noise.
    patch(file, 4096, new Uint8Array(200_000).fill(0xa5));
    await expect(openStore({ file })).rejects.toMatchObject({ reason: "corrupt" });
  });
});

describe("store.check", () => {
  it("passes for a database that can be read and written", async () => {
    const store = await openTestStore();
    await expect(store.check()).resolves.toBeUndefined();
  });

  it.each([
    ["was moved away", (file: string) => renameSync(file, `${file}.moved`)],
    [
      "was replaced",
      (file: string) => {
        renameSync(file, `${file}.moved`);
        writeFileSync(file, "");
      },
    ],
  ])("fails when the file %s under the open store", async (_, replace) => {
    const file = newFile();
    const store = await openTestStore({ file });
    replace(file);
    await expect(store.check()).rejects.toMatchObject({
      code: "STORE_UNAVAILABLE",
      reason: "replaced",
    });
  });

  it("fails on a closed store", async () => {
    const store = await openTestStore();
    await store.close();
    await expect(store.check()).rejects.toMatchObject({ code: "STORE_CLOSED" });
  });
});

describe("a row that was changed behind the store's back", () => {
  it.each([
    ["inbox", "metadata", "[]", "holds JSON of another shape"],
    ["inbox", "metadata", "{", "is no JSON"],
    ["inbox", "attachments", "{}", "holds JSON of another shape"],
    ["inbox", "attachments", '[{"bytes":1}]', "holds JSON of another shape"],
    ["inbox", "attachments", '[{"mimeType":"text/plain"}]', "holds JSON of another shape"],
    ["inbox", "attachments", "[1]", "holds JSON of another shape"],
    ["inbox", "error", '{"code":1}', "holds JSON of another shape"],
    ["inbox", "error", '{"code":"C"}', "holds JSON of another shape"],
    ["inbox", "state", "lost", 'holds "lost", expected received, queued, answered'],
    ["turns", "payload", "null", "holds JSON of another shape"],
    ["turns", "usage", '{"input":"1"}', "holds JSON of another shape"],
    ["turns", "usage", "1", "holds JSON of another shape"],
    ["turns", "error", '{"code":"C","message":"m"}', "holds JSON of another shape"],
    ["turns", "error", '{"code":"C","message":"m","stage":1}', "holds JSON of another shape"],
    ["turns", "error", "1", "holds JSON of another shape"],
    ["turns", "triggered_by", "moon", 'holds "moon", expected user, cron'],
    ["transcript", "message", '{"role":"system","content":[]}', "holds JSON of another shape"],
    ["transcript", "message", '{"role":"user","content":"text"}', "holds JSON of another shape"],
    ["transcript", "message", "7", "holds JSON of another shape"],
  ])("is refused with its place: %s.%s = %s", async (table, column, value, what) => {
    const file = newFile();
    const store = await openTestStore({ file });
    const { session } = await queueTurn(store);
    const { sessionId } = session;
    await store.transcript.append({
      sessionId,
      message: { role: "user", content: [], timestamp: 1 },
    });
    tamper(file, `update ${table} set ${column} = '${value}'`);
    const reads = [
      store.inbox.get("message"),
      store.turns.get("run"),
      store.transcript.load(sessionId),
    ];
    const [failure, ...others] = (await Promise.allSettled(reads)).filter(
      ({ status }) => status === "rejected",
    );
    expect(others).toEqual([]);
    const reason: unknown = failure?.status === "rejected" ? failure.reason : undefined;
    expect(reason).toBeInstanceOf(RowDataError);
    expect(String(reason)).toContain(`${table}.${column} of `);
    expect(String(reason)).toContain(what);
  });
});

describe("a value that JSON cannot hold", () => {
  it.each([
    ["a BigInt", { big: BigInt(1) }],
    ["nothing", undefined],
    ["a function", () => 1],
  ])("is refused: %s", async (_, value) => {
    const store = await openTestStore();
    // What a caller without types can pass.
    const message = { ...inbound(), ...Reflect.construct(Object, [{ metadata: value }]) };
    const accepted = store.inbox.accept(message);
    await expect(accepted).rejects.toThrow(RowDataError);
    await expect(accepted).rejects.toThrow(
      /^inbox\.metadata of message cannot be stored as JSON: /,
    );
    expect(await store.inbox.get("message")).toBeUndefined();
  });
});
