import { describe, expect, it } from "vitest";
import { StoreArgumentError } from "../../src/errors.js";
import type { Store } from "../../src/index.js";
import { newApproval } from "../support/new-approval.js";
import { openTestStore, START, storeDatabase } from "../support/open-store.js";
import { raceOfDeciders } from "../support/race-of-deciders.js";

const ALLOWED = { state: "allowed-once", by: "test:owner", via: "test" } as const;
const DENIED = { state: "denied", by: "test:other", via: "test" } as const;

/** Opens a store whose clock a test sets. */
async function clocked(): Promise<{ store: Store; time: { now: number } }> {
  const time = { now: START };
  return { store: await openTestStore({ now: () => time.now }), time };
}

describe("store.approvals", () => {
  it("[APPR-007] stores an approval request unchanged across a reopen", async () => {
    const database = storeDatabase();
    const store = await openTestStore({ ...database, now: () => START });
    const asked = newApproval({
      pluginId: "guard",
      alsoRequestedBy: ["other"],
      title: "nul \0 and \ud800",
    });
    const created = await store.decisions.approvals.create(asked);
    const { timeoutMs: _timeout, ...rest } = asked;
    expect(created).toEqual({
      ...rest,
      id: expect.stringMatching(
        /^apr_[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      ),
      code: expect.stringMatching(/^[A-HJ-NP-Z2-9]{6}$/),
      state: "pending",
      createdAt: START,
      expiresAt: START + 1000,
    });
    await store.close();

    const { approvals } = (await openTestStore(database)).decisions;
    expect(await approvals.get(created.id)).toEqual(created);
    expect(await approvals.get(` ${created.code.toLowerCase()} `)).toEqual(created);
    expect(await approvals.get("apr_nothing")).toBeUndefined();
  });

  it("stores a plugin's request outside a call", async () => {
    const { store } = await clocked();
    const { runId: _run, toolCallId: _call, tool: _tool, ...asked } = newApproval();
    const created = await store.decisions.approvals.create({ ...asked, pluginId: "guard" });
    expect(created.tool).toBeUndefined();
    expect(await store.decisions.approvals.get(created.id)).toEqual(created);
  });

  it("lists requests by state, session and run, newest first, and pending ones oldest first", async () => {
    const { store } = await clocked();
    const { approvals } = store.decisions;
    const first = await approvals.create(newApproval());
    const second = await approvals.create(newApproval({ runId: "other" }));
    const third = await approvals.create(newApproval({ sessionKey: "elsewhere" }));
    await approvals.decide(first.id, DENIED);
    const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);
    expect(ids(await approvals.list())).toEqual([third.id, second.id, first.id]);
    expect(ids(await approvals.list({ limit: 1 }))).toEqual([third.id]);
    expect(ids(await approvals.list({ state: "denied" }))).toEqual([first.id]);
    expect(ids(await approvals.list({ isSettled: false }))).toEqual([third.id, second.id]);
    expect(ids(await approvals.list({ sessionKey: "session" }))).toEqual([second.id, first.id]);
    expect(ids(await approvals.list({ runId: "other" }))).toEqual([second.id]);
    const fourth = await approvals.create(newApproval());
    expect(ids(await approvals.pending("session"))).toEqual([second.id, fourth.id]);
    await expect(approvals.list({ limit: 0 })).rejects.toThrow(StoreArgumentError);
  });

  it("[APPR-009] settles a request once; later decisions change nothing", async () => {
    const { store, time } = await clocked();
    const { id } = await store.decisions.approvals.create(newApproval());
    time.now += 5;
    expect(await store.decisions.approvals.decide(id, ALLOWED)).toMatchObject({
      state: "allowed-once",
      decidedBy: "test:owner",
      decidedVia: "test",
      decidedAt: START + 5,
    });
    time.now += 5000;
    expect(await store.decisions.approvals.decide(id, DENIED)).toBeUndefined();
    expect(await store.decisions.approvals.expire()).toEqual([]);
    expect(await store.decisions.approvals.cancel({ runId: "run" }, "interrupt")).toEqual([]);
    expect(await store.decisions.approvals.get(id)).toMatchObject({ state: "allowed-once" });
  });

  it("[APPR-009] lets one of two concurrent processes settle a request", async () => {
    const database = storeDatabase();
    const store = await openTestStore({ ...database, now: Date.now });
    const ids: string[] = [];
    for (let index = 0; index < 30; index++) {
      ids.push(
        (await store.decisions.approvals.create(newApproval({ timeoutMs: 604_800_000 }))).id,
      );
    }
    await store.close();
    const wins = await raceOfDeciders(database, ids);
    expect([...wins.flat()].sort()).toEqual([...ids].sort());
    const after = await openTestStore(database);
    for (const [index, won] of wins.entries()) {
      for (const id of won) {
        const { decidedBy } = (await after.decisions.approvals.get(id)) ?? {};
        expect(decidedBy).toBe(`process:${index}`);
      }
    }
  });

  it("rejects a decision after expiry, which follows the database's clock", async () => {
    const { store, time } = await clocked();
    const soon = await store.decisions.approvals.create(newApproval());
    const late = await store.decisions.approvals.create(newApproval({ timeoutMs: 5000 }));
    expect(await store.decisions.approvals.untilExpiry()).toBe(1000);
    time.now += 999;
    expect(await store.decisions.approvals.expire()).toEqual([]);
    time.now += 1;
    expect(await store.decisions.approvals.untilExpiry()).toBe(0);
    expect(await store.decisions.approvals.decide(soon.id, ALLOWED)).toBeUndefined();
    expect(await store.decisions.approvals.expire()).toMatchObject([
      { id: soon.id, state: "timed-out", decidedBy: "timeout" },
    ]);
    expect(await store.decisions.approvals.untilExpiry()).toBe(4000);
    expect(await store.decisions.approvals.decide(late.id, ALLOWED)).toBeDefined();
    expect(await store.decisions.approvals.untilExpiry()).toBeUndefined();
  });

  it("[APPR-010] allows one execution, only with the same digest", async () => {
    const { store } = await clocked();
    const { id, digest } = await store.decisions.approvals.create(newApproval());
    expect(await store.decisions.approvals.consume({ id, digest })).toBeUndefined();
    await store.decisions.approvals.decide(id, ALLOWED);
    expect(await store.decisions.approvals.consume({ id, digest: "d2" })).toBeUndefined();
    expect(await store.decisions.approvals.consume({ id, digest })).toMatchObject({
      consumedAt: START,
    });
    expect(await store.decisions.approvals.consume({ id, digest })).toBeUndefined();
  });

  it("[APPR-010] restores the execution when the transaction that journals it rolls back", async () => {
    const { store } = await clocked();
    const { id, digest } = await store.decisions.approvals.create(newApproval());
    await store.decisions.approvals.decide(id, { ...ALLOWED, state: "allowed-always" });
    const undone = store.transaction(async (unit) => {
      await unit.decisions.approvals.consume({ id, digest });
      throw new Error("the disk is full");
    });
    await expect(undone).rejects.toThrow("the disk is full");
    expect(await store.decisions.approvals.consume({ id, digest })).toBeDefined();
  });

  it.each(["denied", "cancelled"] as const)(
    "allows no execution of a %s request",
    async (state) => {
      const { store } = await clocked();
      const asked = newApproval({ timeoutBehavior: "allow" });
      const { id, digest } = await store.decisions.approvals.create(asked);
      await store.decisions.approvals.decide(id, { ...DENIED, state });
      expect(await store.decisions.approvals.consume({ id, digest })).toBeUndefined();
    },
  );

  it("allows an execution after a timeout only when the request's timeout behavior allows it", async () => {
    const { store, time } = await clocked();
    const strict = await store.decisions.approvals.create(newApproval());
    const lenient = await store.decisions.approvals.create(
      newApproval({ timeoutBehavior: "allow" }),
    );
    time.now += 1000;
    expect(await store.decisions.approvals.consume(lenient)).toBeUndefined();
    await store.decisions.approvals.expire();
    expect(await store.decisions.approvals.consume(strict)).toBeUndefined();
    expect(await store.decisions.approvals.consume(lenient)).toBeDefined();
    expect(await store.decisions.approvals.consume(lenient)).toBeUndefined();
  });

  it("[APPR-015] cancels only the requests of a run, session or plugin", async () => {
    const { store } = await clocked();
    const { approvals } = store.decisions;
    const ofRun = await approvals.create(newApproval());
    const ofSession = await approvals.create(newApproval({ runId: "r2", sessionKey: "s2" }));
    const ofPlugin = await approvals.create(newApproval({ runId: "r3", pluginId: "guard" }));
    const ofOther = await approvals.create(newApproval({ runId: "r4", pluginId: "other" }));
    const cancelled = async (...owner: Parameters<typeof approvals.cancel>) =>
      (await approvals.cancel(...owner)).map(({ id, state, decidedBy }) => [id, state, decidedBy]);
    expect(await cancelled({ runId: "run" }, "interrupt")).toEqual([
      [ofRun.id, "cancelled", "interrupt"],
    ]);
    expect(await cancelled({ sessionKey: "s2" }, "session-reset")).toEqual([
      [ofSession.id, "cancelled", "session-reset"],
    ]);
    expect(await cancelled({ pluginId: "guard" }, "plugin-disabled")).toEqual([
      [ofPlugin.id, "cancelled", "plugin-disabled"],
    ]);
    expect(await approvals.get(ofOther.id)).toMatchObject({ state: "pending" });
  });

  it("finds earlier denials of a run, optionally since a time", async () => {
    const { store, time } = await clocked();
    const { approvals } = store.decisions;
    const { id } = await approvals.create(newApproval());
    expect(await approvals.wasDenied("run", "d1")).toBe(false);
    await approvals.decide(id, DENIED);
    expect(await approvals.wasDenied("run", "d1")).toBe(true);
    expect(await approvals.wasDenied("run", "d1", START + 1)).toBe(false);
    expect(await approvals.wasDenied("run", "d2")).toBe(false);
    expect(await approvals.wasDenied("other", "d1")).toBe(false);
    await approvals.create(newApproval({ runId: "slow", timeoutBehavior: "allow" }));
    await approvals.create(newApproval({ runId: "strict" }));
    time.now += 1000;
    await approvals.expire();
    expect(await approvals.wasDenied("slow", "d1")).toBe(false);
    expect(await approvals.wasDenied("strict", "d1")).toBe(true);
  });

  it("records which plugins were notified, and the number of attempts", async () => {
    const { store } = await clocked();
    const { approvals } = store.decisions;
    await approvals.decide((await approvals.create(newApproval())).id, ALLOWED);
    const { id } = await approvals.create(newApproval({ pluginId: "guard" }));
    expect(await approvals.unnotified()).toEqual([]);
    await approvals.decide(id, ALLOWED);
    expect(await approvals.unnotified()).toMatchObject([{ approval: { id }, attempts: 0 }]);
    await approvals.recordNotification(id, false);
    expect(await approvals.unnotified()).toMatchObject([{ approval: { id }, attempts: 1 }]);
    await approvals.recordNotification(id, true);
    expect(await approvals.unnotified()).toEqual([]);
  });
});
