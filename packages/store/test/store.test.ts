import { describe, expect, it } from "vitest";
import { RowDataError } from "../src/errors.js";
import { openStore } from "../src/index.js";
import { runBeside } from "./support/database-beside.js";
import { inbound, openTestStore, queueTurn, storeDatabase } from "./support/open-store.js";

describe("openStore", () => {
  it("keeps data in memory on request, separately for each store", async () => {
    const [one, other] = [
      await openTestStore({ file: ":memory:" }),
      await openTestStore({ file: ":memory:" }),
    ];
    await queueTurn(one);
    expect(await one.turns.unfinished()).toHaveLength(1);
    expect(await other.turns.unfinished()).toEqual([]);
    await one.check();
  });

  it("uses the system's clock by default", async () => {
    const store = await openStore({ file: ":memory:" });
    const { session } = await store.sessions.open("session", { agentId: "agent" });
    // The clock of the machine may be set back by some milliseconds while the test runs.
    expect(Math.abs(session.createdAt - Date.now())).toBeLessThan(60_000);
    await store.close();
  });

  it("lets two stores of one process share a database", async () => {
    const database = storeDatabase();
    const [one, other] = [await openTestStore(database), await openTestStore(database)];
    await one.messages.inbox.accept(inbound({ id: "a", idempotencyKey: "key" }));
    const repeat = await other.messages.inbox.accept(inbound({ id: "b", idempotencyKey: "key" }));
    expect([repeat.row.id, repeat.duplicate]).toEqual(["a", true]);
    expect(await one.sessions.open("s", { agentId: "x" })).toMatchObject({ created: true });
    expect(await other.sessions.open("s", { agentId: "x" })).toMatchObject({ created: false });
  });
});

describe("contexts of a store", () => {
  it("are created once for the store and once for each transaction", async () => {
    const store = await openTestStore();
    const { messages, decisions } = store;
    expect(store.messages).toBe(messages);
    expect(messages.inbox).toBe(messages.inbox);
    await store.transaction(async (inside) => {
      expect(inside.messages).not.toBe(messages);
      expect(inside.messages.inbox).toBe(inside.messages.inbox);
      expect(inside.decisions.approvals).not.toBe(decisions.approvals);
      await inside.transaction(async (joined) => void (await joined.turns.journal.load("run")));
    });
  });
});

describe("store.check", () => {
  it("passes for a database that can be read and written", async () => {
    const store = await openTestStore();
    await expect(store.check()).resolves.toBeUndefined();
  });

  it("fails on a closed store", async () => {
    const store = await openTestStore();
    await store.close();
    await expect(store.check()).rejects.toMatchObject({ code: "STORE_CLOSED" });
  });
});

describe("row that was changed outside the store", () => {
  it.each([
    ["inbox", "metadata", "[]", "contains JSON of a different shape"],
    ["inbox", "metadata", "{", "is not valid JSON"],
    ["inbox", "attachments", "{}", "contains JSON of a different shape"],
    ["inbox", "attachments", '[{"bytes":1}]', "contains JSON of a different shape"],
    ["inbox", "attachments", '[{"mimeType":"text/plain"}]', "contains JSON of a different shape"],
    ["inbox", "attachments", "[1]", "contains JSON of a different shape"],
    ["inbox", "error", '{"code":1}', "contains JSON of a different shape"],
    ["inbox", "error", '{"code":"C"}', "contains JSON of a different shape"],
    ["inbox", "state", "lost", 'contains "lost", expected received, queued, answered'],
    ["turns", "payload", "null", "contains JSON of a different shape"],
    ["turns", "usage", '{"input":"1"}', "contains JSON of a different shape"],
    ["turns", "usage", "1", "contains JSON of a different shape"],
    ["turns", "error", '{"code":"C","message":"m"}', "contains JSON of a different shape"],
    [
      "turns",
      "error",
      '{"code":"C","message":"m","stage":1}',
      "contains JSON of a different shape",
    ],
    ["turns", "error", "1", "contains JSON of a different shape"],
    ["turns", "triggered_by", "moon", 'contains "moon", expected user, cron'],
    [
      "transcript",
      "message",
      '{"role":"system","content":[]}',
      "contains JSON of a different shape",
    ],
    [
      "transcript",
      "message",
      '{"role":"user","content":"text"}',
      "contains JSON of a different shape",
    ],
    ["transcript", "message", "7", "contains JSON of a different shape"],
  ])("is reported with its location: %s.%s = %s", async (table, column, value, what) => {
    const database = storeDatabase();
    const store = await openTestStore(database);
    const { session } = await queueTurn(store);
    const { sessionId } = session;
    await store.messages.transcript.append({
      sessionId,
      message: { role: "user", content: [], timestamp: 1 },
    });
    await runBeside(database, `update ${table} set ${column} = '${value}'`);
    const reads = [
      store.messages.inbox.get("message"),
      store.turns.get("run"),
      store.messages.transcript.load(sessionId),
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

describe("value that JSON cannot express", () => {
  it.each([
    ["a BigInt", { big: BigInt(1) }],
    ["nothing", undefined],
    ["a function", () => 1],
  ])("is rejected: %s", async (_, value) => {
    const store = await openTestStore();
    // A caller without types can pass such a value.
    const message = { ...inbound(), ...Reflect.construct(Object, [{ metadata: value }]) };
    const accepted = store.messages.inbox.accept(message);
    await expect(accepted).rejects.toThrow(RowDataError);
    await expect(accepted).rejects.toThrow(
      /^inbox\.metadata of message cannot be stored as JSON: /,
    );
    expect(await store.messages.inbox.get("message")).toBeUndefined();
  });
});
