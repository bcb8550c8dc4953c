import { randomUUID } from "node:crypto";
import { Client } from "pg";
import { expect, inject, it, onTestFinished } from "vitest";
import type { Store } from "../../src/index.js";
import { newApproval } from "../support/new-approval.js";
import { newServerDatabase, openTestStore } from "../support/open-store.js";

const SESSION = "session";
const FIVE_MINUTES = 5 * 60_000;
const BRIEF = 1;
const LONG = 60_000;
const CALL = {
  key: "k1",
  sessionKey: SESSION,
  agentId: "agent",
  requester: newApproval().requester,
};

/** Opens two hosts on one database, with an offset of each host's own clock. */
async function openHosts(offsets: readonly [number, number]): Promise<readonly [Store, Store]> {
  const place = newServerDatabase();
  const open = (offset: number) =>
    openTestStore({ ...place, now: () => Date.now() + offset, databaseClock: undefined });
  return [await open(offsets[0]), await open(offsets[1])];
}

/** Writes expiring rows on one host and returns how another host treats them. */
async function outcome(offsets: readonly [number, number]): Promise<unknown> {
  const [writer, reader] = await openHosts(offsets);
  await writer.sessions.open(SESSION, { agentId: "agent" });
  const leave = (text: string, ttlMs: number) =>
    writer.sessions.injections.enqueue("plugin", { sessionKey: SESSION, text, ttlMs });
  const allow = (key: string, ttlMs: number) =>
    writer.decisions.grants.add({
      ...CALL,
      kind: "tool",
      tool: "write",
      scope: "session",
      label: "label",
      createdBy: "test",
      key,
      ttlMs,
    });

  const long = await writer.decisions.approvals.create(newApproval({ timeoutMs: LONG }));
  const brief = await writer.decisions.approvals.create(
    newApproval({ timeoutMs: BRIEF, runId: "other" }),
  );
  await leave("long", LONG);
  await leave("brief", BRIEF);
  await allow("long", LONG);
  await allow("brief", BRIEF);
  const now = await reader.clock();
  while ((await reader.clock()) <= now + BRIEF);

  const expired = await reader.decisions.approvals.expire();
  const settlement = { state: "allowed-once", by: "me", via: "test" } as const;
  const decisions = [
    await reader.decisions.approvals.decide(long.id, settlement),
    await writer.decisions.approvals.decide(brief.id, settlement),
  ];
  const { injections, expired: dropped } = await reader.sessions.injections.drain(
    SESSION,
    "run",
    () => true,
  );
  const grants = [
    await reader.decisions.grants.use({ ...CALL, key: "long" }),
    await reader.decisions.grants.use({ ...CALL, key: "brief" }),
  ];
  return {
    expired: expired.map(({ id }) => (id === brief.id ? "brief" : "another")),
    decided: decisions.map((decided) => decided?.state),
    drained: injections.map(({ text }) => text),
    dropped,
    granted: grants.map((grant) => grant !== undefined),
  };
}

it.each<[string, readonly [number, number]]>([
  ["right", [0, 0]],
  ["five minutes ahead, five behind", [FIVE_MINUTES, -FIVE_MINUTES]],
  ["five minutes behind, five ahead", [-FIVE_MINUTES, FIVE_MINUTES]],
])(
  "[SCALE-004] expires rows by the server's clock when the hosts' clocks are %s",
  async (_, offsets) => {
    expect(await outcome(offsets)).toEqual({
      expired: ["brief"],
      decided: ["allowed-once", undefined],
      drained: ["long"],
      dropped: 1,
      granted: [true, false],
    });
  },
);

it("[SCALE-004] advances during a transaction", async () => {
  const store = await openTestStore({ ...newServerDatabase(), databaseClock: undefined });
  await store.transaction(async (inside) => {
    const begun = await inside.clock();
    while ((await inside.clock()) === begun);
    expect(Math.abs(begun - Date.now())).toBeLessThan(FIVE_MINUTES);
  });
});

it("[SCALE-050] an expired approval request stays expired when the clock of the server is set back", async () => {
  const url = await databaseWithOwnClock();
  const store = await openTestStore({ url, databaseClock: undefined });
  const { approvals } = store.decisions;
  const brief = await approvals.create(newApproval({ timeoutMs: BRIEF }));
  const long = await approvals.create(newApproval({ timeoutMs: LONG, runId: "other" }));
  const created = await store.clock();
  while ((await store.clock()) <= created + BRIEF);
  await setClock(url, "- interval '1 hour'");
  expect(await store.clock()).toBeGreaterThan(created);
  const settlement = { state: "allowed-once", by: "me", via: "test" } as const;
  expect(await approvals.decide(brief.id, settlement)).toBeUndefined();
  await setClock(url, "+ interval '1 hour'");
  expect(await approvals.decide(long.id, settlement)).toBeUndefined();
  expect((await approvals.expire()).length).toBe(2);
});

/** Creates a database in which `clock_timestamp()` can be changed, as if the clock of the server were set. */
async function databaseWithOwnClock(): Promise<string> {
  const url = new URL(`${inject("postgresUrl")}`);
  const name = `clock_${randomUUID().replaceAll("-", "")}`;
  await query(url.href, `create database ${name}`);
  const { href } = url;
  onTestFinished(() => query(href, `drop database ${name} with (force)`));
  url.pathname = `/${name}`;
  await query(
    url.href,
    "set allow_system_table_mods = on; alter function pg_catalog.clock_timestamp() rename to server_clock",
  );
  await setClock(url.href, "");
  return url.href;
}

async function setClock(url: string, change: string): Promise<void> {
  await query(
    url,
    `set allow_system_table_mods = on;
    create or replace function pg_catalog.clock_timestamp() returns timestamptz volatile language sql
    as $$ select pg_catalog.server_clock() ${change} $$`,
  );
}

async function query(url: string, text: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(text);
  await client.end();
}
