import { describe, expect, it } from "vitest";
import { RowNotFoundError, RowStateError } from "../../src/errors.js";
import type { NewRoutine, Routine, Store } from "../../src/index.js";
import { openTestStore, START, storeDatabase, tickingClock } from "../support/open-store.js";

const DAY = 86_400_000;

function addRoutine(
  store: Store,
  name: string,
  changes: Partial<NewRoutine> = {},
): Promise<Routine> {
  return store.routines.add({
    routineId: `id-${name}`,
    name,
    agentId: "main",
    sessionKey: `agent:main:cron:id-${name}`,
    owner: "owner",
    creator: { channel: "terminal" },
    definition: { kind: "at" },
    scheduledFrom: START,
    enabled: true,
    ...changes,
  });
}

describe("routines of the store", () => {
  it("[JOB-943] are found by name, by ID and by the beginning of an ID, also among those of an owner", async () => {
    const store = await openTestStore();
    const mine = await addRoutine(store, "morning");
    const other = await addRoutine(store, "evening", { owner: "guest" });
    const { routines } = store;
    expect(await routines.get(mine.routineId)).toEqual(mine);
    expect(await routines.ofSession(mine.sessionKey)).toEqual(mine);
    expect(await routines.find("morning")).toEqual([mine]);
    expect(await routines.find("id-mor")).toEqual([mine]);
    expect(await routines.find("id-")).toHaveLength(2);
    expect(await routines.find("id-", "guest")).toEqual([other]);
    expect(await routines.list({ limit: 9 })).toEqual([other, mine]);
    expect(await routines.list({ owner: "owner", limit: 9 })).toEqual([mine]);
    expect(await routines.count("guest")).toBe(1);
  });

  it("[JOB-943] have names that are unique for each owner", async () => {
    const store = await openTestStore();
    await addRoutine(store, "morning");
    const again = { routineId: "two", sessionKey: "agent:main:cron:two" };
    await expect(addRoutine(store, "morning", again)).rejects.toBeInstanceOf(RowStateError);
    const { routineId } = await addRoutine(store, "morning", { ...again, owner: "guest" });
    await addRoutine(store, "evening", { owner: "guest" });
    const renaming = store.routines.change(routineId, { name: "evening" });
    await expect(renaming).rejects.toBeInstanceOf(RowStateError);
  });

  it("[JOB-943] are changed in part, and removed with their due times", async () => {
    const store = await openTestStore({ ...storeDatabase(), now: tickingClock() });
    const { routineId } = await addRoutine(store, "morning");
    const disabled = { enabled: false, disabledReason: "failed five times" };
    const changed = await store.routines.change(routineId, disabled);
    expect(changed).toMatchObject({ ...disabled, name: "morning", definition: { kind: "at" } });
    expect(changed.updatedAt).toBeGreaterThan(changed.createdAt);
    expect(await store.routines.enabled()).toEqual([]);
    const enabled = await store.routines.change(routineId, { enabled: true, disabledReason: null });
    expect(enabled.disabledReason).toBeUndefined();
    const key = { routineId, plannedAt: START };
    await store.routines.runs.claim({ ...key, origin: "schedule", state: "queued" });
    expect(await store.routines.remove(routineId)).toBe(true);
    expect(await store.routines.runs.get(key)).toBeUndefined();
    expect(await store.routines.remove(routineId)).toBe(false);
    await expect(store.routines.change(routineId, {})).rejects.toBeInstanceOf(RowNotFoundError);
  });
});

describe("due times of the store", () => {
  it("[JOB-026] are claimed by one of several callers", async () => {
    const store = await openTestStore();
    const { routineId } = await addRoutine(store, "morning");
    const due = { routineId, plannedAt: START, origin: "schedule", state: "queued" } as const;
    const claims = await Promise.all(
      Array.from({ length: 5 }, () =>
        store.transaction(async (unit) => await unit.routines.runs.claim(due)),
      ),
    );
    expect(claims.filter((claim) => claim !== undefined)).toHaveLength(1);
    expect(await store.routines.runs.of({ routineId, limit: 9 })).toHaveLength(1);
  });

  it("[JOB-026] tell the last planned time of the schedule, whatever else ran", async () => {
    const store = await openTestStore();
    const { routineId } = await addRoutine(store, "morning");
    const { runs } = store.routines;
    expect(await runs.lastPlanned(routineId)).toBeUndefined();
    await runs.claim({ routineId, plannedAt: START, origin: "schedule", state: "queued" });
    await runs.claim({ routineId, plannedAt: START + DAY, origin: "schedule", state: "missed" });
    await runs.claim({ routineId, plannedAt: START + 2 * DAY, origin: "manual", state: "queued" });
    expect(await runs.lastPlanned(routineId)).toBe(START + DAY);
  });

  it("[JOB-029] end once, and are delivered once", async () => {
    const store = await openTestStore();
    const { routineId } = await addRoutine(store, "morning");
    const { runs } = store.routines;
    const key = { routineId, plannedAt: START };
    await runs.claim({ ...key, origin: "schedule", state: "queued" });
    expect(await runs.start(key, { runId: "turn" })).toBe(true);
    await runs.keepAnswer("turn", "The build is broken.");
    expect(await runs.ofTurn("turn")).toMatchObject({ ...key, state: "running" });
    expect(await runs.unsettled()).toHaveLength(1);
    const ended = await runs.end(key, { state: "attention", reason: "late by 3 hours" });
    expect(ended).toMatchObject({ state: "attention", answer: "The build is broken." });
    expect(await runs.end(key, { state: "failed" })).toBeUndefined();
    expect(await runs.start(key, { runId: "other" })).toBe(false);
    expect(await runs.unsettled()).toHaveLength(1);
    expect(await runs.deliver(key, { state: "delivered" })).toBe(true);
    expect(await runs.deliver(key, { state: "not-delivered" })).toBe(false);
    expect(await runs.unsettled()).toEqual([]);
    const skipped = { ...key, plannedAt: START + 1, origin: "schedule", state: "skipped" } as const;
    await runs.claim(skipped);
    expect(await runs.unsettled()).toEqual([]);
    expect(await runs.of({ routineId, limit: 9, isDone: true })).toHaveLength(1);
    expect((await runs.of({ routineId, limit: 9 })).map(({ state }) => state)).toEqual([
      "skipped",
      "attention",
    ]);
  });

  it("[JOB-944] are removed when they are old, except for the newest of each routine", async () => {
    let now = START;
    const store = await openTestStore({ ...storeDatabase(), now: () => now });
    const { routineId } = await addRoutine(store, "morning");
    for (const days of [0, 1, 2]) {
      now = START + days * DAY;
      const due = { routineId, plannedAt: now, origin: "schedule", state: "missed" } as const;
      await store.routines.runs.claim(due);
    }
    now = START + 400 * DAY;
    await store.retention.sweep({ routineRun: 90 });
    const left = await store.routines.runs.of({ routineId, limit: 9 });
    expect(left.map(({ plannedAt }) => plannedAt)).toEqual([START + 2 * DAY]);
  });
});
