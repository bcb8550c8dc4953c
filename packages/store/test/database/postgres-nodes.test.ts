import { afterEach, describe, expect, it, vi } from "vitest";
import { StaleFenceError } from "../../src/errors.js";
import {
  createPluginStores,
  type Lease,
  openStore,
  type Store,
  underLease,
  withoutLease,
} from "../../src/index.js";
import { runBeside } from "../support/database-beside.js";
import { inbound, newServerDatabase, queueTurn } from "../support/open-store.js";

// Processes and files take longer on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const TTL = { ttlMs: 10_000 };
const REPORT = { name: "machine-1", version: "1.0.0", facts: {} };

const opened: Store[] = [];
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
});

/** Opens two nodes on one empty database. */
async function openNodes() {
  const { url } = newServerDatabase();
  const open = async (nodeId: string) => {
    const store = await openStore({ url, nodeId });
    opened.push(store);
    return store;
  };
  return { url, one: await open("one"), two: await open("two") };
}

async function take(store: Store, owner: string): Promise<Lease> {
  const lease = await store.leases.acquire("session:s", owner, { ...TTL, seize: true });
  if (lease === undefined) throw new Error("the lease is held");
  return lease;
}

describe("nodes", () => {
  it("[SCALE-023] continue on the schema of the next version, and a new start of this version is rejected", async () => {
    const { url, one: store } = await openNodes();
    const database = { url };
    await store.messages.inbox.accept(inbound());
    await runBeside(database, "alter table inbox add column next_version text");
    await runBeside(database, "create table next_version (id text)");
    await runBeside(database, "insert into migrations values ('9999-next', 'abc', 1)");
    await store.messages.inbox.accept(inbound({ id: "later" }));
    await store.settings.set({ path: ["logging", "level"], value: "debug", source: "test" });
    expect(await store.settings.list()).toMatchObject([{ value: "debug" }]);
    expect(await runBeside(database, "select next_version from inbox")).toHaveLength(2);
    await expect(openStore({ url, nodeId: "three" })).rejects.toMatchObject({
      kind: "configuration",
      unknown: ["9999-next"],
    });
  });

  it("[SCALE-007] store nothing of a work whose lease another node has acquired", async () => {
    const { url, one, two } = await openNodes();
    const plugins = createPluginStores({ store: one, url });
    const plugin = plugins.of("fenced");
    const notes = { id: "notes", sqlite: "select 1", postgres: "create table notes (text text)" };
    const database = await plugin.database({ name: "notes", migrations: [notes] });
    const lease = await take(one, "one");
    const write = {
      statement: () => one.pausedTasks.set("task", true),
      transaction: () => one.transaction((unit) => unit.pausedTasks.set("task", true)),
      value: () => plugin.kv.set("key", 1),
      plugin: () => database.query("insert into notes values ('n')"),
    };
    const writes = Object.values(write);
    await underLease({ lease }, async () => {
      for (const each of writes) await each();
      await withoutLease(() => take(two, "two"));
      const refused = await Promise.allSettled(writes.map((each) => each()));
      for (const { status, ...rest } of refused) {
        expect(status).toBe("rejected");
        const reason: unknown = "reason" in rest ? rest.reason : undefined;
        expect(String(reason)).toContain("node one has lost the lease 1 of session:s");
      }
      await expect(write.statement()).rejects.toThrow(StaleFenceError);
    });
    expect(await database.query("select text from notes")).toHaveLength(1);
    // What the work left behind is not bound to it.
    let later: Promise<unknown> = Promise.resolve();
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    await underLease({ lease }, async () => {
      later = ended.then(() => one.pausedTasks.set("other", true));
    });
    end();
    await later;
    expect(await two.pausedTasks.list()).toEqual(["other", "task"]);
    await plugins.close();
  });

  it("[SCALE-009] take over what a node that is gone has left, and nothing of one that lives", async () => {
    const { url, one, two } = await openNodes();
    expect(await one.nodes.report(REPORT, 60_000)).toMatchObject({
      ...REPORT,
      ...{ nodeId: "one", state: "active", isLive: true },
    });
    await two.nodes.report({ ...REPORT, name: "machine-2" }, 60_000);
    await queueTurn(one);
    await one.messages.inbox.accept(inbound({ id: "received" }));
    await one.messages.outbox.add({
      ...{ runId: "run", part: 0, sessionKey: "session", content: "reply" },
      target: { channel: "test", to: "sender" },
    });
    expect(await two.nodes.adopt()).toEqual({ messages: [], replies: [] });
    expect(await two.turns.left()).toEqual([]);
    expect(await two.turns.next("session")).toEqual({ runId: "run", nodeId: "one" });
    expect(await two.messages.inbox.received()).toEqual([]);
    expect(await two.messages.outbox.undelivered()).toEqual([]);

    await one.nodes.report(REPORT, -1);
    const nodes = await two.nodes.list();
    expect(nodes.map(({ nodeId, isLive }) => [nodeId, isLive])).toEqual([
      ["one", false],
      ["two", true],
    ]);
    const { messages, replies } = await two.nodes.adopt();
    expect([...messages].sort()).toEqual(["message", "received"]);
    expect(replies).toHaveLength(1);
    expect(await two.turns.left()).toMatchObject([{ runId: "run" }]);
    expect(await two.messages.inbox.received()).toMatchObject([
      { id: "message" },
      { id: "received" },
    ]);
    expect(await two.messages.outbox.undelivered()).toHaveLength(1);
    expect(await one.turns.left()).toEqual([]);
    expect(await two.nodes.adopt()).toEqual({ messages: [], replies: [] });

    expect(await one.nodes.setState("two", "draining")).toMatchObject({ state: "draining" });
    expect(await two.nodes.report(REPORT, 60_000)).toMatchObject({ state: "draining" });
    expect(await one.nodes.setState("three", "active")).toBeUndefined();
    await two.nodes.leave();
    await one.nodes.tidy();
    expect(await one.nodes.list()).toHaveLength(1);
    const alone = { url, exclusive: true };
    await expect(openStore(alone)).rejects.toMatchObject({ code: "DATABASE_IN_USE" });
    await expect(openStore({ file: ":memory:", nodeId: "one" })).rejects.toMatchObject({
      code: "STORE_ARGUMENT",
    });
  });

  it("[SCALE-019] tell each other of changes, once and in order", async () => {
    const { one, two } = await openNodes();
    const heard: string[] = [];
    const all = new Promise<void>((resolve) => {
      two.topics.subscribe("numbers", (text) => {
        heard.push(text);
        if (heard.filter((each) => !each.startsWith("own")).length === 4) resolve();
      });
    });
    one.topics.subscribe("numbers", (text) => heard.push(`own ${text}`));
    await one.transaction(async (unit) => {
      for (const text of ["1", "2", "1"]) unit.topics.publish("numbers", text);
    });
    one.topics.publish("numbers", "3");
    await two.transaction(async (unit) => unit.topics.publish("numbers", "4"));
    await all;
    expect(heard.filter((text) => !text.startsWith("own")).sort()).toEqual(["1", "2", "3", "4"]);
    await expect
      .poll(() => heard.filter((text) => text.startsWith("own")))
      .toEqual(["own 1", "own 2", "own 3", "own 4"]);
  });
});
