import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LeaseLostError } from "../../src/errors.js";
import { isLegalMove, JOB_STATES, type JobState, type Lease } from "../../src/index.js";
import { addJob } from "../support/jobs.js";
import { openTestStore, START, storeDatabase } from "../support/open-store.js";

const TTL = { ttlMs: 10_000 };

describe("leases", () => {
  it("[JOB-009] belong to one owner until they expire, and have growing numbers", async () => {
    let now = START;
    const store = await openTestStore({
      ...storeDatabase(),
      now: () => now,
      databaseClock: () => now,
    });
    const first = await store.leases.acquire("job:a", "one", TTL);
    expect(first).toEqual({ key: "job:a", owner: "one", token: 1 });
    expect(await store.leases.acquire("job:a", "two", TTL)).toBeUndefined();
    now += 9_999;
    expect(first && (await store.leases.renew(first, TTL.ttlMs))).toBe(true);
    now += 9_999;
    expect(await store.leases.acquire("job:a", "two", TTL)).toBeUndefined();
    now += 1;
    const second = await store.leases.acquire("job:a", "two", TTL);
    expect(second).toEqual({ key: "job:a", owner: "two", token: 2 });
    expect(first && (await store.leases.renew(first, TTL.ttlMs))).toBe(false);
  });

  it("[JOB-020] of an earlier run of the same owner, or of a dead owner, are rejected afterwards", async () => {
    const store = await openTestStore();
    const first = await held(store.leases.acquire("job:a", "one", TTL));
    const second = await held(store.leases.acquire("job:a", "one", TTL));
    await store.leases.assertHeld(second);
    await expect(store.leases.assertHeld(first)).rejects.toThrow(LeaseLostError);
    const seized = await held(store.leases.acquire("job:a", "two", { ...TTL, seize: true }));
    expect(seized.token).toBe(3);
    await expect(store.leases.assertHeld(second)).rejects.toThrow(LeaseLostError);
    await store.leases.release(second);
    expect(await store.leases.acquire("job:a", "one", TTL)).toBeUndefined();
    await store.leases.release(seized);
    await expect(store.leases.assertHeld(seized)).rejects.toThrow(LeaseLostError);
    expect(await held(store.leases.acquire("job:a", "one", TTL))).toMatchObject({ token: 4 });
  });

  it("[JOB-003] [JOB-009] leave no illegal history when several owners move a job at once", async () => {
    const action = fc.record({
      owner: fc.nat({ max: 2 }),
      kind: fc.constantFrom("acquire", "expire", "move"),
      to: fc.constantFrom(...JOB_STATES),
    });
    let number = 0;
    let now = START;
    const store = await openTestStore({
      ...storeDatabase(),
      now: () => now,
      databaseClock: () => now,
    });
    const attempt = async (jobId: string, lease: Lease, to: JobState) =>
      await store
        .transaction(async (unit) => {
          await unit.leases.assertHeld(lease);
          return await unit.jobs.move(jobId, to);
        })
        .then(
          () => true,
          () => false,
        );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(action, { maxLength: 3 }), { maxLength: 12 }),
        async (rounds) => {
          number += 1;
          const { jobId } = await addJob(store, `race-${number}`);
          const key = `job:${jobId}`;
          const leases = new Map<number, Lease>();
          let newest = 0;
          let model: JobState = "pending";
          for (const round of rounds) {
            const before: JobState = model;
            const results = await Promise.all(
              round.map(async ({ owner, kind, to }) => {
                if (kind === "expire") {
                  now += TTL.ttlMs;
                  return undefined;
                }
                if (kind === "acquire") {
                  const lease = await store.leases.acquire(key, `owner ${owner}`, TTL);
                  if (lease !== undefined) {
                    expect(lease.token).toBeGreaterThan(newest);
                    newest = lease.token;
                    leases.set(owner, lease);
                  }
                  return undefined;
                }
                const lease = leases.get(owner);
                if (lease === undefined) return undefined;
                const isMoved = await attempt(jobId, lease, to);
                // A stale fencing number stores nothing.
                if (isMoved && lease.token < newest)
                  expect(round.some((each) => each.kind === "acquire")).toBe(true);
                return isMoved ? to : undefined;
              }),
            );
            const won = results.filter((to) => to !== undefined);
            model = (await store.jobs.get(jobId))?.state ?? before;
            if (won.length === 0) expect(model).toBe(before);
          }
          let state: JobState = "pending";
          for (const { from, to } of await store.jobs.moves(jobId)) {
            expect(from).toBe(state);
            expect(isLegalMove(from, to)).toBe(true);
            state = to;
          }
          expect((await store.jobs.get(jobId))?.state).toBe(state);
        },
      ),
      { numRuns: 60 },
    );
  });
});

async function held(acquiring: Promise<Lease | undefined>): Promise<Lease> {
  const lease = await acquiring;
  if (lease === undefined) throw new Error("the lease was not acquired");
  return lease;
}
