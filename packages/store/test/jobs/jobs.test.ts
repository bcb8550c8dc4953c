import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { JobTransitionError, RowNotFoundError, RowStateError } from "../../src/errors.js";
import {
  isLegalMove,
  isTerminalJobState,
  JOB_QUEUE,
  JOB_STATES,
  type JobState,
} from "../../src/index.js";
import { addJob, walkTo } from "../support/jobs.js";
import { openTestStore, START, storeDatabase, tickingClock } from "../support/open-store.js";

interface Vectors {
  readonly job_transitions: readonly { from: JobState; to: JobState; legal: boolean }[];
  readonly job_state_props: readonly { state: JobState; terminal: boolean; active: boolean }[];
  readonly job_sequences: readonly {
    id: string;
    ops: readonly (JobState | "recover")[];
    final: JobState;
    error?: boolean;
    started_at_set?: boolean;
    started_at_unchanged?: boolean;
    completed_at_set?: boolean;
    repair_attempts?: number;
  }[];
}

const vectors: Vectors = JSON.parse(
  readFileSync(new URL("../vectors/jobs.json", import.meta.url), "utf8"),
);

const LEGAL = new Set([
  ...["pending in_progress", "pending cancelled"],
  ...["in_progress completed", "in_progress failed", "in_progress stuck", "in_progress cancelled"],
  ...["completed submitted", "completed failed", "submitted accepted", "submitted failed"],
  ...["stuck in_progress", "stuck failed", "stuck cancelled"],
]);

describe("the states of a job", () => {
  it("[JOB-001] are active, except for accepted, failed and cancelled", () => {
    expect(JOB_STATES.filter(isTerminalJobState)).toEqual(["accepted", "failed", "cancelled"]);
    for (const { state, terminal, active } of vectors.job_state_props) {
      expect([state, isTerminalJobState(state)]).toEqual([state, terminal]);
      expect(active).toBe(!terminal);
    }
  });

  it("[JOB-002] allow 13 of the 64 moves", () => {
    const pairs = JOB_STATES.flatMap((from) => JOB_STATES.map((to) => [from, to] as const));
    expect(pairs).toHaveLength(64);
    for (const [from, to] of pairs) {
      expect([from, to, isLegalMove(from, to)]).toEqual([from, to, LEGAL.has(`${from} ${to}`)]);
    }
    for (const { from, to, legal } of vectors.job_transitions) {
      expect([from, to, isLegalMove(from, to)]).toEqual([from, to, legal]);
    }
  });
});

describe("jobs of the store", () => {
  it("[JOB-003] reject an illegal move with its states, without a change and without history", async () => {
    const store = await openTestStore();
    for (const from of JOB_STATES) {
      for (const to of JOB_STATES) {
        const { jobId } = await addJob(store, `${from}-${to}`);
        await walkTo(store, jobId, from);
        const before = [await store.jobs.get(jobId), await store.jobs.moves(jobId)] as const;
        const moving = store.jobs.move(jobId, to);
        if (LEGAL.has(`${from} ${to}`)) {
          expect((await moving).state).toBe(to);
          expect(await store.jobs.moves(jobId)).toHaveLength(before[1].length + 1);
          continue;
        }
        const error = await moving.catch((cause: unknown) => cause);
        expect(error).toBeInstanceOf(JobTransitionError);
        expect(error).toHaveProperty(
          "message",
          expect.stringMatching(`^Cannot transition from ${from} to ${to}`),
        );
        expect([await store.jobs.get(jobId), await store.jobs.moves(jobId)]).toEqual(before);
      }
    }
  });

  it("[JOB-003] let one of several concurrent moves win, and tell the others the new state", async () => {
    const store = await openTestStore();
    const { jobId } = await addJob(store, "race");
    await walkTo(store, jobId, "in_progress");
    const moves = await Promise.allSettled(
      (["completed", "failed", "cancelled", "stuck"] as const).map((to) =>
        store.jobs.move(jobId, to, { from: "in_progress" }),
      ),
    );
    expect(moves.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await store.jobs.moves(jobId)).toHaveLength(2);
  });

  it("[JOB-004] [JOB-006] follow the sequences of the contract", async () => {
    const store = await openTestStore({ ...storeDatabase(), now: tickingClock() });
    expect(vectors.job_sequences.length).toBeGreaterThan(3);
    for (const { id, ops, ...expected } of vectors.job_sequences) {
      const { jobId } = await addJob(store, id);
      let started: number | undefined;
      let isRefused = false;
      for (const op of ops) {
        const moving =
          op === "recover"
            ? store.jobs.move(jobId, "in_progress", { from: "stuck" })
            : store.jobs.move(jobId, op);
        await moving.catch((error: unknown) => {
          expect(error).toBeInstanceOf(JobTransitionError);
          isRefused = true;
        });
        started ??= (await store.jobs.get(jobId))?.startedAt;
      }
      const job = await store.jobs.get(jobId);
      expect([id, job?.state, isRefused]).toEqual([id, expected.final, expected.error ?? false]);
      if (expected.started_at_set === true) expect(job?.startedAt).toBeDefined();
      if (expected.started_at_unchanged === true) expect(job?.startedAt).toBe(started);
      if (expected.completed_at_set === true) expect(job?.completedAt).toBeDefined();
      expect(job?.repairAttempts).toBe(expected.repair_attempts ?? 0);
    }
  });

  it("[JOB-005] keep the newest 200 moves with time, states and reason", async () => {
    const store = await openTestStore({ ...storeDatabase(), now: () => START });
    const { jobId } = await addJob(store, "long");
    await store.jobs.move(jobId, "in_progress", { reason: "claimed" });
    for (let round = 0; round < 105; round += 1) {
      await store.jobs.move(jobId, "stuck", { reason: `round ${round}` });
      await store.jobs.move(jobId, "in_progress", { from: "stuck" });
    }
    const moves = await store.jobs.moves(jobId);
    expect(moves).toHaveLength(200);
    expect(moves.map(({ number }) => number)).toEqual(
      Array.from({ length: 200 }, (_, at) => at + 12),
    );
    expect(moves.at(-2)).toEqual({
      ...{ number: 210, from: "in_progress", to: "stuck", reason: "round 104", at: START },
    });
    expect((await store.jobs.get(jobId))?.repairAttempts).toBe(105);
  });

  it("[JOB-007] record use beyond a budget of tokens or cost, and return the error", async () => {
    const store = await openTestStore();
    const { jobId } = await addJob(store, "tokens", { maxTokens: 1000 });
    expect(await store.jobs.use(jobId, { tokens: 500, cost: 0 })).toBeUndefined();
    expect(await store.jobs.use(jobId, { tokens: 600, cost: 0 })).toMatchObject({
      code: "JOB_BUDGET_EXCEEDED",
      message: expect.stringMatching(/used 1100 of the 1000 /),
    });
    expect((await store.jobs.get(jobId))?.usedTokens).toBe(1100);

    const money = await addJob(store, "money", { maxCost: 100 });
    expect(await store.jobs.use(money.jobId, { tokens: 9_999, cost: 50 })).toBeUndefined();
    expect(await store.jobs.use(money.jobId, { tokens: 0, cost: 60 })).toMatchObject({
      message: expect.stringMatching(/used \$0\.0001 of the \$0\.0001 /),
    });
    const free = await addJob(store, "free");
    expect(
      await store.jobs.use(free.jobId, { tokens: 9_999_999, cost: 9_999_999 }),
    ).toBeUndefined();
    expect(await store.jobs.get(free.jobId)).toMatchObject({ usedTokens: 9_999_999 });
  });

  it("[JOB-008] start in created order within their priority", async () => {
    const store = await openTestStore({ ...storeDatabase(), now: tickingClock() });
    await addJob(store, "b");
    await addJob(store, "a");
    await addJob(store, "urgent", { priority: 1 });
    const order: string[] = [];
    for (;;) {
      const next = await store.queues.take(JOB_QUEUE, "owner", { ttlMs: 10_000 });
      if (next === undefined) break;
      order.push(next.key);
    }
    expect(order).toEqual(["urgent", "b", "a"]);
  });

  it("keep everything across a reopen, list newest first, and count by state", async () => {
    const database = storeDatabase();
    const store = await openTestStore({ ...database, now: tickingClock() });
    const added = await addJob(store, "one", {
      title: "odd \0 title",
      parentId: "parent",
      askedIn: "agent:main:main",
      model: "demo/demo",
    });
    await addJob(store, "two", { owner: "other" });
    await store.close();
    const again = await openTestStore(database);
    expect(await again.jobs.get("one")).toEqual(added);
    expect(await again.jobs.ofSession(added.sessionKey)).toEqual(added);
    expect(await again.jobs.childrenOf("parent")).toEqual([added]);
    expect((await again.jobs.list({ limit: 5 })).map(({ jobId }) => jobId)).toEqual(["two", "one"]);
    expect(await again.jobs.list({ limit: 5, owner: "owner" })).toEqual([added]);
    expect(await again.jobs.list({ limit: 5, states: ["failed"] })).toEqual([]);
    expect(await again.jobs.startingWith("on")).toEqual([added]);
    expect(await again.jobs.counts()).toMatchObject({ pending: 2, failed: 0 });
    expect(await again.jobs.counts("other")).toMatchObject({ pending: 1 });
    await expect(addJob(again, "one")).rejects.toThrow(RowStateError);
    await expect(again.jobs.move("none", "failed")).rejects.toThrow(RowNotFoundError);
    await expect(again.jobs.change("none", { spentMs: 1 })).rejects.toThrow(RowNotFoundError);
    await expect(again.jobs.use("none", { tokens: 1, cost: 0 })).rejects.toThrow(RowNotFoundError);
  });

  it("keep the end of each run once", async () => {
    const store = await openTestStore();
    const { jobId } = await addJob(store, "runs");
    await store.jobs.runs.start({ jobId, runId: "run one", token: 1 });
    expect((await store.jobs.get(jobId))?.runId).toBe("run one");
    expect(await store.jobs.runs.end("run one", { outcome: "stuck", reason: "timeout" })).toBe(
      true,
    );
    expect(await store.jobs.runs.end("run one", { outcome: "completed" })).toBe(false);
    expect(await store.jobs.runs.of(jobId)).toMatchObject([
      { runId: "run one", token: 1, outcome: "stuck", reason: "timeout" },
    ]);
  });

  it("[JOB-390] keep the delivery of each run for good, with its time", async () => {
    const store = await openTestStore();
    const { jobId } = await addJob(store, "deliveries");
    await walkTo(store, jobId, "in_progress");
    await store.jobs.runs.start({ jobId, runId: "first", token: 1 });
    await store.jobs.runs.start({ jobId, runId: "second", token: 2 });
    const failed = { state: "failed", reason: "the chat is gone", code: "CHAT_GONE" } as const;
    expect(await store.jobs.deliver(jobId, failed)).toEqual({ ...failed, at: expect.any(Number) });
    expect(await store.jobs.deliver(jobId, { state: "delivered" })).toBeUndefined();
    expect(await store.jobs.deliver("none", { state: "delivered" })).toBeUndefined();
    expect(await store.jobs.get(jobId)).toMatchObject({ delivery: failed });
    expect(await store.jobs.runs.of(jobId)).toMatchObject([
      { delivery: { state: "suppressed", reason: "the work continued in another run" } },
      { delivery: { ...failed, at: expect.any(Number) } },
    ]);
    const other = await addJob(store, "cancelled");
    await store.jobs.move(other.jobId, "in_progress");
    await store.jobs.runs.start({ jobId: other.jobId, runId: "third", token: 1 });
    await store.jobs.move(other.jobId, "cancelled");
    expect(await store.jobs.runs.of(other.jobId)).toMatchObject([
      { delivery: { state: "suppressed", reason: "the job was cancelled" } },
    ]);
  });
});
