import { TurnSuspendedError } from "@openclaw/agent";
import { createManualClock } from "@openclaw/foundation";
import { describe, expect, it, vi } from "vitest";
import { eventually } from "../support/eventually.js";
import { createTestHost, gate, openTestStore, SESSION } from "../support/host.js";
import { historyOf, inState, look, onlyJob, say } from "./support/only-job.js";

describe("a job that does not come to an end", () => {
  it("[JOB-010] [JOB-020] [JOB-021] is stuck after its time, is started again, and fails after the last repair", async () => {
    const clock = createManualClock(Date.now());
    let calls = 0;
    const host = await createTestHost({
      jobs: { timeoutSeconds: 60, stuckSeconds: 100_000, checkSeconds: 3600, maxRepairs: 1 },
      now: () => clock.now(),
      timers: clock,
      script: () => {
        calls += 1;
        return { text: "never", waitFor: new Promise(() => undefined) };
      },
    });
    await host.jobs.recover();
    await host.store.sessions.open(SESSION, { agentId: "main" });
    await say(host, "/job hang");
    await eventually(async () => (calls === 1 ? true : undefined));
    clock.advance(60_000);
    const stuck = await inState(host.store, "stuck");
    await host.jobs.check();
    await eventually(async () => (calls === 2 ? true : undefined));
    expect(await inState(host.store, "in_progress")).toMatchObject({ repairAttempts: 1 });
    const [first, second] = await host.store.jobs.runs.of(stuck.jobId);
    expect(first).toMatchObject({
      outcome: "stuck",
      reason: expect.stringMatching(/^it worked for 60 s/),
    });
    expect(second?.token).toBeGreaterThan(first?.token ?? 0);
    clock.advance(60_000);
    await inState(host.store, "stuck");
    await host.jobs.check();
    const failed = await eventually(async () => {
      const job = await onlyJob(host.store);
      return job.delivery === undefined ? undefined : job;
    });
    expect(failed).toMatchObject({ state: "failed", failure: { code: "JOB_STUCK" } });
    expect((await historyOf(host.store)).at(-1)).toMatch(
      /^assistant: Self-Repair: Job "hang" failed/,
    );
  });

  it("[JOB-018] is stuck when its turn shows no progress, and not before", async () => {
    const clock = createManualClock(Date.now());
    const begun = gate();
    const open = gate();
    const asked = gate();
    const host = await createTestHost({
      jobs: { stuckSeconds: 300, checkSeconds: 60, maxRepairs: 0 },
      now: () => clock.now(),
      timers: clock,
      register: look,
      script: ({ prompt }) => {
        if (prompt.at(-1)?.role !== "tool") {
          begun.pass();
          return { toolCalls: [{ toolName: "look", params: {} }], waitFor: open.passed };
        }
        asked.pass();
        return { text: "never", waitFor: new Promise(() => undefined) };
      },
    });
    await host.jobs.recover();
    await say(host, "/job hang");
    await begun.passed;
    clock.advance(200_000);
    open.pass();
    // The tool call is progress, from which the time counts again.
    await asked.passed;
    clock.advance(290_000);
    await host.jobs.check();
    expect((await onlyJob(host.store)).state).toBe("in_progress");
    clock.advance(20_000);
    await host.jobs.check();
    const job = await eventually(async () => {
      await host.jobs.check();
      const now = await onlyJob(host.store);
      return now.state === "failed" ? now : undefined;
    });
    expect(job.failure?.message).toContain("it showed no progress");
  });

  it("[JOB-016] continues after a restart by the ID of its run, and delivers once", async () => {
    const store = await openTestStore();
    const stopped = gate();
    const first = await createTestHost({
      store,
      script: ({ prompt }) => {
        if (prompt.at(-1)?.role !== "tool")
          return { toolCalls: [{ toolName: "look", params: {} }] };
        stopped.pass();
        return { text: "lost", waitFor: new Promise(() => undefined) };
      },
      register: look,
    });
    await first.jobs.recover();
    await first.store.sessions.open(SESSION, { agentId: "main" });
    await say(first, "/job look around");
    await stopped.passed;
    const before = await inState(store, "in_progress");
    first.jobs.close();
    first.ending.abort(new TurnSuspendedError());

    const second = await createTestHost({
      store,
      register: look,
      script: () => ({ text: "Seen." }),
    });
    await second.flow.recover();
    await second.jobs.recover();
    const job = await inState(store, "submitted");
    expect(job).toMatchObject({ runId: before.runId, result: "Seen." });
    expect((await historyOf(store)).filter((line) => line.includes("Seen."))).toHaveLength(1);
    await second.jobs.check();
    expect((await historyOf(store)).filter((line) => line.includes("Seen."))).toHaveLength(1);
  });

  it("[JOB-021] is reported as repaired when a repair helped", async () => {
    const clock = createManualClock(Date.now());
    const asked = gate();
    let calls = 0;
    const host = await createTestHost({
      jobs: { timeoutSeconds: 60, stuckSeconds: 100_000, checkSeconds: 3600 },
      now: () => clock.now(),
      timers: clock,
      script: () => {
        calls += 1;
        if (calls > 1) return { text: "There are 3." };
        asked.pass();
        return { text: "never", waitFor: new Promise(() => undefined) };
      },
    });
    await host.jobs.recover();
    await host.store.sessions.open(SESSION, { agentId: "main" });
    await say(host, "/job count");
    await asked.passed;
    clock.advance(60_000);
    await inState(host.store, "stuck");
    // The retry itself is not reported.
    expect(await historyOf(host.store)).toEqual([]);
    await host.jobs.check();
    await inState(host.store, "submitted");
    expect(await historyOf(host.store)).toEqual([
      'assistant: Self-Repair: Job "count" was stuck, was started again and is done:\n\nThere are 3.',
    ]);
  });

  it("[JOB-009] is leased for 10 s, and the lease is renewed every 3 s", async () => {
    const clock = createManualClock(Date.now());
    const store = await openTestStore(() => clock.now());
    const asked = gate();
    const host = await createTestHost({
      store,
      now: () => clock.now(),
      timers: clock,
      script: () => {
        asked.pass();
        return { text: "never", waitFor: new Promise(() => undefined) };
      },
    });
    await host.jobs.recover();
    await say(host, "/job hang");
    await asked.passed;
    const renewals = vi.spyOn(store.leases, "renew");
    const key = `job:${(await onlyJob(store)).jobId}`;
    const other = async () => await store.leases.acquire(key, "other", { ttlMs: 1 });
    for (let round = 1; round <= 5; round += 1) {
      clock.advance(3_000);
      expect(renewals).toHaveBeenCalledTimes(round);
      await renewals.mock.results.at(-1)?.value;
      expect(await other()).toBeUndefined();
    }
    host.jobs.close();
    clock.advance(9_999);
    expect(renewals).toHaveBeenCalledTimes(5);
    expect(await other()).toBeUndefined();
    clock.advance(1);
    expect(await other()).toMatchObject({ owner: "other", token: 2 });
  });

  it("[JOB-019] is checked every 60 s, one check at a time, and only while a job is left", async () => {
    const clock = createManualClock(Date.now());
    const open = gate();
    const store = await openTestStore();
    const looks = vi.spyOn(store.jobs, "unsettled");
    const host = await createTestHost({
      store,
      jobs: { maxRepairs: 0 },
      now: () => clock.now(),
      timers: clock,
    });
    await host.jobs.recover();
    expect(looks).toHaveBeenCalledTimes(1);
    clock.advance(600_000);
    expect(looks).toHaveBeenCalledTimes(1);
    await store.sessions.open(SESSION, { agentId: "main" });
    await say(host, "/job count");
    await inState(store, "submitted");
    looks.mockImplementationOnce(async () => {
      await open.passed;
      return [await onlyJob(store)];
    });
    clock.advance(59_999);
    expect(looks).toHaveBeenCalledTimes(1);
    clock.advance(1);
    expect(looks).toHaveBeenCalledTimes(2);
    clock.advance(120_000);
    expect(looks).toHaveBeenCalledTimes(2);
    open.pass();
    await eventually(async () => {
      clock.advance(60_000);
      return looks.mock.calls.length >= 3 ? true : undefined;
    });
    // The last check found nothing that is left to do.
    await looks.mock.results.at(-1)?.value;
    await host.jobs.check();
    const count = looks.mock.calls.length;
    clock.advance(600_000);
    expect(looks).toHaveBeenCalledTimes(count);
  });
});
