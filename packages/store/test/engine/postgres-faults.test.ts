import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from "vitest";
import { postgresPlace } from "../../src/engine/database-url.js";
import { openPostgres } from "../../src/engine/postgres/postgres.js";
import { type Durability, openStore, type Store } from "../../src/index.js";
import { startChild } from "../support/child-process.js";
import { runBeside } from "../support/database-beside.js";
import { inbound, newServerDatabase, openTestStore, queueTurn } from "../support/open-store.js";
import { type PostgresServer, startPostgres } from "../support/postgres-server.js";
import { startProxy, type TcpProxy } from "../support/tcp-proxy.js";

const UNREACHABLE = { code: "STORE_UNAVAILABLE", reason: "unreachable" };

async function ids(store: Store): Promise<readonly string[]> {
  return (await store.messages.inbox.inState("received")).map(({ id }) => id);
}

/** Opens a store whose connection to the server can be cut, and returns its place without the proxy. */
async function openBehindProxy(): Promise<{
  proxy: TcpProxy;
  store: Store;
  direct: { url: string };
}> {
  const direct = newServerDatabase();
  const url = new URL(direct.url);
  const proxy = await startProxy(Number(url.port));
  url.port = String(proxy.port);
  return { proxy, direct, store: await openTestStore({ url: url.href }) };
}

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.remove());

describe("unreachable server", () => {
  it("[SCALE-031] is not noticed when it returns between two calls", async () => {
    const store = await openTestStore({ url: `${server.url}?schema=between` });
    await store.messages.inbox.accept(inbound({ id: "before" }));
    await server.shutDown();
    await server.start();
    expect(await ids(store)).toEqual(["before"]);
    await store.messages.inbox.accept(inbound({ id: "after" }));
    expect(await ids(store)).toEqual(["before", "after"]);
  });

  it("[SCALE-031] fails every call with a clear error, acknowledges nothing, and is used again when it returns", async () => {
    const store = await openTestStore({ url: `${server.url}?schema=away` });
    await server.shutDown();
    await expect(store.messages.inbox.accept(inbound({ id: "lost" }))).rejects.toMatchObject(
      UNREACHABLE,
    );
    await expect(store.messages.inbox.get("lost")).rejects.toMatchObject(UNREACHABLE);
    await expect(store.check()).rejects.toThrow(
      /the server cannot be reached or ended the connection, and nothing of this write was kept/,
    );
    await expect(openStore({ url: `${server.url}?schema=away` })).rejects.toMatchObject(
      UNREACHABLE,
    );
    await server.start();
    await store.check();
    expect(await ids(store)).toEqual([]);
    await store.messages.inbox.accept(inbound({ id: "kept" }));
    expect(await ids(store)).toEqual(["kept"]);
  });

  it("[SCALE-031] rolls back the whole transaction", async () => {
    const store = await openTestStore({ url: `${server.url}?schema=middle` });
    const work = store.transaction(async (inside) => {
      await inside.messages.inbox.accept(inbound({ id: "a" }));
      await server.shutDown();
      await inside.messages.inbox.accept(inbound({ id: "b" }));
    });
    await expect(work).rejects.toMatchObject(UNREACHABLE);
    await server.start();
    expect(await ids(store)).toEqual([]);
  });
});

describe("lost connection", () => {
  it("[SCALE-031] is not noticed between two calls", async () => {
    const { proxy, store } = await openBehindProxy();
    await Promise.all([store.messages.inbox.accept(inbound()), ids(store), ids(store)]);
    proxy.cut();
    expect(await ids(store)).toEqual(["message"]);
    proxy.cut();
    await store.messages.inbox.accept(inbound({ id: "after" }));
    expect(await ids(store)).toEqual(["message", "after"]);
  });

  it("[SCALE-031] rolls back the running transaction, and the next one runs", async () => {
    const { proxy, store } = await openBehindProxy();
    const work = store.transaction(async (inside) => {
      await inside.messages.inbox.accept(inbound({ id: "a" }));
      proxy.cut();
      await inside.messages.inbox.accept(inbound({ id: "b" }));
    });
    await expect(work).rejects.toMatchObject(UNREACHABLE);
    expect(await ids(store)).toEqual([]);
    await store.messages.inbox.accept(inbound({ id: "c" }));
    expect(await ids(store)).toEqual(["c"]);
  });

  it("[SCALE-031] reports that nothing was stored when lost before the commit arrived", async () => {
    const { proxy, store, direct } = await openBehindProxy();
    proxy.cutNextCommit("before the server has it");
    await expect(store.messages.inbox.accept(inbound())).rejects.toMatchObject(UNREACHABLE);
    expect(await runBeside(direct, "select id from inbox")).toEqual([]);
    expect(await store.messages.inbox.accept(inbound())).toMatchObject({ duplicate: false });
  });

  it("[SCALE-031] commits once and succeeds when lost after the commit, before its response", async () => {
    const { proxy, store, direct } = await openBehindProxy();
    await queueTurn(store);
    proxy.cutNextCommit("before the client has the answer");
    const { row } = await store.messages.outbox.add({
      runId: "run",
      part: 0,
      sessionKey: "session",
      target: { channel: "test", to: "sender" },
      content: "answer",
    });
    expect(await runBeside(direct, "select id from outbox")).toEqual([{ id: row.id }]);
    proxy.cutNextCommit("before the client has the answer");
    await store.transaction(async (inside) => {
      await inside.turns.begin("run");
    });
    expect(await store.turns.get("run")).toMatchObject({ state: "running", attempts: 1 });
  });

  it.each([
    ["before the server has it", []],
    ["before the client has the answer", [{ a: 1 }]],
  ] as const)(
    "[SCALE-031] reports an unknown outcome when lost %s and the server stays unreachable",
    async (fault, kept) => {
      const direct = newServerDatabase();
      const url = new URL(direct.url);
      const proxy = await startProxy(Number(url.port));
      url.port = String(proxy.port);
      const { unit } = await openPostgres({
        place: postgresPlace(url.href),
        durability: "power",
        now: Date.now,
        patienceMs: 300,
      });
      onTestFinished(() => unit.close());
      await runBeside(direct, "create table kept (a int)");
      proxy.cutNextCommit(fault, { andStayAway: true });
      const work = unit.atomic(async (inside) => {
        const { sql } = await import("kysely");
        await sql`insert into kept values (1)`.execute(inside.query());
      });
      await expect(work).rejects.toMatchObject({ reason: "outcome-unknown" });
      await expect(work).rejects.toThrow(/check before you repeat the write/);
      expect(await runBeside(direct, "select a from kept")).toEqual(kept);
    },
  );

  it.each<Durability>(["power", "process"])(
    "[SCALE-003] loses no acknowledged message and stores no partial transaction when the process is killed (durability %s)",
    async (durability) => {
      const database = newServerDatabase();
      const child = startChild("accept-until-killed.mjs", JSON.stringify(database), durability);
      let acknowledged = 0;
      while (acknowledged < 100 && (await child.line()) !== undefined) acknowledged += 1;
      expect(acknowledged).toBe(100);
      await child.kill();
      while ((await child.line()) !== undefined) acknowledged += 1;
      const pairs = (await ids(await openTestStore(database))).length / 2;
      // One more may have been committed but not yet acknowledged.
      expect([acknowledged, acknowledged + 1]).toContain(pairs);
    },
  );
});

describe("server that denies access", () => {
  const place = (change: (url: URL) => void) => {
    const url = new URL(newServerDatabase().url);
    change(url);
    return { url: url.href };
  };

  it.each([
    ["password", "wrong", "access-denied", "28P01"],
    ["pathname", "/nowhere", "missing-database", "3D000"],
    ["port", "1", "unreachable", "ECONNREFUSED"],
  ] as const)(
    "reports how to fix the %s, without the password",
    async (part, value, reason, detail) => {
      const opened = openStore(
        place((url) => {
          url[part] = value;
        }),
      );
      await expect(opened).rejects.toMatchObject({ code: "STORE_UNAVAILABLE", reason, detail });
      await expect(opened).rejects.not.toThrow(/test@|wrong/);
    },
  );

  it.each([
    ["read-only, as a standby is", "set default_transaction_read_only = on", "standby", "25006"],
    ["not allowed to make a schema", "set work_mem = default", "access-denied", "42501"],
  ])("reports that the user is %s", async (_, setting, reason, detail) => {
    const user = `user_${Math.floor(Math.random() * 1e9)}`;
    const admin = new Client({ connectionString: inject("postgresUrl") });
    await admin.connect();
    await admin.query(`create role ${user} login password 'p'`);
    await admin.query(`alter role ${user} ${setting}`);
    const schema = `schema_of_${user}`;
    if (reason === "standby") await admin.query(`create schema ${schema} authorization ${user}`);
    await admin.end();
    const url = place((address) => {
      address.username = user;
      address.password = "p";
      address.searchParams.set("schema", schema);
    });
    await expect(openStore(url)).rejects.toMatchObject({ reason, detail });
  });
});

describe("exclusive database", () => {
  it("rejects a second host until the first has closed", async () => {
    const place = { url: `${server.url}?schema=held` };
    const first = await openStore({ ...place, exclusive: true });
    const second = openStore({ ...place, exclusive: true });
    await expect(second).rejects.toMatchObject({ code: "DATABASE_IN_USE" });
    await expect(second).rejects.toThrow(
      new RegExp(`is in use by openclaw, process ${process.pid} of .*; stop that host first`),
    );
    // A store without exclusive access can still be opened.
    const beside = await openTestStore(place);
    await beside.messages.inbox.accept(inbound());
    expect(await ids(first)).toEqual(["message"]);
    await first.close();
    await openTestStore({ ...place, exclusive: true });
  });

  it("cannot be written by a host that lost it to another", async () => {
    const place = { url: `${server.url}?schema=lost` };
    const first = await openTestStore({ ...place, exclusive: true });
    await first.messages.inbox.accept(inbound({ id: "a" }));
    await endHolds(place.url);
    // No other host acquired it in the meantime, so it is acquired again.
    await first.messages.inbox.accept(inbound({ id: "b" }));
    await endHolds(place.url);
    const second = await openTestStore({ ...place, exclusive: true });
    await expect(first.messages.inbox.accept(inbound({ id: "c" }))).rejects.toMatchObject({
      code: "DATABASE_IN_USE",
    });
    await expect(first.check()).rejects.toMatchObject({ code: "DATABASE_IN_USE" });
    expect(await ids(second)).toEqual(["a", "b"]);
  });
});

/** Ends every connection with which a host holds a schema. */
async function endHolds(url: string): Promise<void> {
  await runBeside(
    { url },
    `select pg_terminate_backend(pid) from pg_locks
      where locktype = 'advisory' and pid <> pg_backend_pid()`,
  );
}
