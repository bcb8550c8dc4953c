import { createManualClock } from "@openclaw/foundation";
import { describe, expect, it, vi } from "vitest";
import { eventually } from "../support/eventually.js";
import { createTestHost, gate, message, OWNER, openTestStore, SESSION } from "../support/host.js";
import { historyOf, inState, OPERATOR, onlyJob, say } from "./support/only-job.js";

const TASK = { title: "Count", description: "Count the files.", agentId: "main" };

describe("faults of a job", () => {
  it("[JOB-404] a task of 1 MB is rejected, in a command as in a method", async () => {
    const host = await createTestHost();
    const description = "x".repeat(1_000_000);
    const limit = "its description has 1000000 bytes, and at most 32768 are allowed";
    expect(await say(host, `/job ${description}`)).toContain(limit);
    const request = { ...TASK, description, creator: message("x") };
    await expect(host.jobs.create(request)).rejects.toThrow(limit);
    expect(await host.store.jobs.list({ limit: 1 })).toEqual([]);
  });

  it("[JOB-017] [JOB-404] jobs that ask for jobs without end are bounded in depth, number and model calls", async () => {
    let calls = 0;
    const host = await createTestHost({
      hasJobTools: true,
      jobs: { maxRepairs: 0, maxParallel: 10 },
      script: () => {
        calls += 1;
        const params = { title: `Job ${calls}`, description: `Ask for another, ${calls}.` };
        return { toolCalls: [{ toolName: "create_job", params }] };
      },
    });
    await host.jobs.recover();
    await say(host, "/job ask for another");
    await eventually(async () => {
      await host.jobs.check();
      const { pending, in_progress, stuck, failed } = await host.store.jobs.counts();
      return pending + in_progress + stuck === 0 && failed > 0 ? true : undefined;
    });
    const jobs = await host.store.jobs.list({ limit: 100 });
    // The bound of one person in a minute.
    expect(jobs).toHaveLength(5);
    expect(Math.max(...jobs.map(({ depth }) => depth))).toBeLessThanOrEqual(3);
    expect(calls).toBeLessThanOrEqual(5 * jobs.length);
  });

  it("[JOB-011] [JOB-404] a cancelled job withdraws the approval request for which it waits", async () => {
    const published = vi.fn(() => "published");
    const host = await createTestHost({
      register: (api) =>
        api.registerTool({
          ...{ name: "publish", description: "Publishes.", parameters: { type: "object" } },
          ...{ approval: "always", execute: published },
        }),
      script: () => ({ toolCalls: [{ toolName: "publish", params: {} }] }),
    });
    await host.jobs.recover();
    const shown: string[] = [];
    const requested = gate<string>();
    host.presence.attend({
      channel: "test",
      sessionKey: SESSION,
      show({ id, state }) {
        shown.push(state);
        if (state === "pending") requested.pass(id);
      },
    });
    await say(host, "/job publish it");
    const id = await requested.passed;
    await host.jobs.cancel((await onlyJob(host.store)).jobId, OPERATOR);
    await eventually(async () => (shown.at(-1) === "cancelled" ? true : undefined));
    const deciding = host.approvals.decide(id, { decision: "allow-once", via: "test" }, OWNER);
    await expect(deciding).rejects.toThrow(/cancelled/);
    expect(published).not.toHaveBeenCalled();
    expect(await onlyJob(host.store)).toMatchObject({ state: "cancelled" });
  });

  it("[JOB-003] [JOB-404] an accepted job is not restarted", async () => {
    const host = await createTestHost();
    await host.jobs.recover();
    await say(host, "/job count");
    const { jobId } = await inState(host.store, "submitted");
    await host.jobs.accept(jobId, OPERATOR);
    await expect(host.jobs.restart(jobId, OPERATOR)).rejects.toThrow(
      "Cannot transition from accepted to in_progress",
    );
    expect(await say(host, `/job restart ${jobId}`)).toContain("Cannot transition from accepted");
  });

  it("[JOB-405] a change of the clock of the machine neither ends a job nor gives it more time", async () => {
    const clock = createManualClock(Date.now());
    let change = 0;
    const asked = gate();
    const host = await createTestHost({
      jobs: { stuckSeconds: 300, maxRepairs: 0 },
      now: () => clock.now() + change,
      elapsed: () => clock.now(),
      timers: clock,
      script: () => {
        asked.pass();
        return { text: "never", waitFor: new Promise(() => undefined) };
      },
    });
    await host.jobs.recover();
    await say(host, "/job hang");
    await asked.passed;
    for (const day of [1, -1]) {
      change = day * 86_400_000;
      await host.jobs.check();
      expect((await onlyJob(host.store)).state).toBe("in_progress");
    }
    clock.advance(301_000);
    const failed = await eventually(async () => {
      await host.jobs.check();
      const job = await onlyJob(host.store);
      return job.state === "failed" ? job : undefined;
    });
    expect(failed.failure?.message).toContain("it showed no progress");
  });

  it("[JOB-405] a clock with fractions of milliseconds gives a working time that can be stored", async () => {
    const host = await createTestHost({ elapsed: () => performance.now() + 0.25 });
    await host.jobs.recover();
    await say(host, "/job count");
    const { jobId } = await inState(host.store, "submitted");
    await host.store.transaction(async () => undefined);
    expect(Number.isInteger((await host.store.jobs.get(jobId))?.spentMs)).toBe(true);
    expect(host.lines.filter((line) => line.startsWith("error"))).toEqual([]);
  });

  it("[JOB-406] a job whose end could not be stored is not left behind: it ends at the next check, and its conversation is told once", async () => {
    const store = await openTestStore();
    const open = gate();
    const asked = gate();
    const host = await createTestHost({
      store,
      script: () => {
        asked.pass();
        return { text: "There are 3.", waitFor: open.passed };
      },
    });
    await host.jobs.recover();
    await store.sessions.open(SESSION, { agentId: "main" });
    await say(host, "/job count");
    await asked.passed;
    const full = vi.spyOn(store, "transaction").mockImplementation(async () => {
      throw new Error("database or disk is full");
    });
    open.pass();
    await eventually(async () =>
      host.lines.some((line) => line.includes("disk is full")) ? true : undefined,
    );
    full.mockRestore();
    const job = await eventually(async () => {
      await host.jobs.check();
      const now = await onlyJob(store);
      return now.delivery === undefined ? undefined : now;
    });
    expect(job).toMatchObject({
      state: "failed",
      failure: { message: "database or disk is full" },
      delivery: { state: "delivered" },
    });
    const told = (await historyOf(store)).filter((line) => line.includes('Job "count"'));
    expect(told).toEqual(['assistant: Job "count" failed: database or disk is full']);
  });

  it("[JOB-408] a job that begins while the host closes is left to the next process", async () => {
    const clock = createManualClock(Date.now());
    const store = await openTestStore();
    const renewals = vi.spyOn(store.leases, "renew");
    const host = await createTestHost({ store, now: () => clock.now(), timers: clock });
    await host.jobs.recover();
    await host.jobs.create({ ...TASK, creator: message("x") });
    host.jobs.close();
    await store.transaction(async () => undefined);
    clock.advance(30_000);
    expect(renewals).not.toHaveBeenCalled();
    expect(["pending", "in_progress"]).toContain((await onlyJob(store)).state);
  });

  it("[JOB-407] a job whose model is down for an hour waits with growing pauses, and then completes", async () => {
    const clock = createManualClock(Date.now());
    const begin = clock.now();
    const times: number[] = [];
    const host = await createTestHost({
      now: () => clock.now(),
      timers: clock,
      script: () => {
        const minutes = (clock.now() - begin) / 60_000;
        times.push(minutes);
        if (minutes < 60) return { error: { status: 503, message: "overloaded" } };
        return { text: "There are 3." };
      },
    });
    await host.jobs.recover();
    await host.store.sessions.open(SESSION, { agentId: "main" });
    await say(host, "/job count");
    // An hour in small steps, between which the turn goes on; a machine that is busy takes its time for them.
    await vi.waitFor(
      async () => {
        const job = await onlyJob(host.store);
        expect(job.state).not.toBe("stuck");
        clock.advance(job.state === "submitted" ? 0 : 15_000);
        expect(job.state).toBe("submitted");
      },
      { timeout: 28_000, interval: 5 },
    );
    expect((await onlyJob(host.store)).repairAttempts).toBe(0);
    expect(times.length).toBeLessThan(16);
    expect(times.at(-1)).toBeGreaterThanOrEqual(60);
  });

  it("[JOB-390] [JOB-404] a job whose conversation was removed keeps its result, with the reason", async () => {
    const open = gate();
    const asked = gate();
    const host = await createTestHost({
      script: () => {
        asked.pass();
        return { text: "There are 3.", waitFor: open.passed };
      },
    });
    await host.jobs.recover();
    await say(host, "/job count");
    await asked.passed;
    await host.administration.remove(SESSION);
    open.pass();
    const job = await eventually(async () => {
      const now = await onlyJob(host.store);
      return now.delivery === undefined ? undefined : now;
    });
    expect(job).toMatchObject({ state: "completed", result: "There are 3." });
    expect(job.delivery).toMatchObject({
      state: "failed",
      reason: expect.stringContaining("no longer exists"),
    });
  });
});
