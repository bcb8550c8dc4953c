import { expect, it } from "vitest";
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
