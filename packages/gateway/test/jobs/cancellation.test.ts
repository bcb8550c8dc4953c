import { createManualClock } from "@openclaw/foundation";
import { describe, expect, it, vi } from "vitest";
import { eventually } from "../support/eventually.js";
import { createTestHost, gate, message } from "../support/host.js";
import { historyOf, OPERATOR, onlyJob, say } from "./support/only-job.js";

describe("a job that is cancelled", () => {
  it("[JOB-011] ends with its turn and its own jobs when it is cancelled", async () => {
    const asked = gate();
    const host = await createTestHost({
      script: () => {
        asked.pass();
        return { text: "late", waitFor: new Promise(() => undefined) };
      },
    });
    await host.jobs.recover();
    await say(host, "/job long work");
    await asked.passed;
    const { jobId, sessionKey } = await onlyJob(host.store);
    const child = await host.jobs.create({
      ...{ title: "part", description: "a part", agentId: "main", askedIn: sessionKey },
      creator: message("x"),
    });
    expect(child).toMatchObject({ parentId: jobId, depth: 1 });
    const below = await host.jobs.create({
      ...{ title: "piece", description: "a piece", agentId: "main", askedIn: child.sessionKey },
      creator: message("x"),
    });
    expect(await say(host, `/job cancel ${jobId.slice(0, 8)}`)).toBe(
      'Job "long work" is cancelled.',
    );
    await host.live.idle();
    for (const id of [jobId, child.jobId, below.jobId]) {
      expect((await host.store.jobs.get(id))?.state).toBe("cancelled");
    }
    expect(await say(host, `/cancel ${jobId}`)).toMatch(
      /^Cannot transition from cancelled to cancelled/,
    );
    expect(await historyOf(host.store)).toEqual([]);
  });

  it("[JOB-011] tells its turn to end, and waits no longer than 100 ms for it", async () => {
    const clock = createManualClock(Date.now());
    const asked = gate();
    const waiting = gate();
    const ended = gate();
    const host = await createTestHost({
      now: () => clock.now(),
      timers: {
        setTimeout(work, ms) {
          if (ms === 100) waiting.pass();
          return clock.setTimeout(work, ms);
        },
        clearTimeout: (timer) => clock.clearTimeout(timer),
      },
      script: () => {
        asked.pass();
        return { text: "late", waitFor: new Promise(() => undefined) };
      },
    });
    await host.jobs.recover();
    await say(host, "/job hang");
    await asked.passed;
    const { jobId, runId = "" } = await onlyJob(host.store);
    // The turn cannot come to its end.
    const read = host.store.turns.get.bind(host.store.turns);
    vi.spyOn(host.store.turns, "get").mockImplementation(async (id) => {
      await ended.passed;
      return await read(id);
    });
    let isAnswered = false;
    const cancelling = host.jobs.cancel(jobId, OPERATOR).finally(() => {
      isAnswered = true;
    });
    await waiting.passed;
    expect((await onlyJob(host.store)).state).toBe("cancelled");
    expect(host.live.turns(`agent:main:job:${jobId}`)[0]?.signal.aborted ?? true).toBe(true);
    clock.advance(99);
    expect((await onlyJob(host.store)).runId).toBe(runId);
    expect(isAnswered).toBe(false);
    clock.advance(1);
    expect(await cancelling).toMatchObject({ state: "cancelled" });
    ended.pass();
    await eventually(async () => (await host.store.jobs.runs.get(runId))?.endedAt);
    expect(await onlyJob(host.store)).toMatchObject({ state: "cancelled", result: undefined });
  });

  it("[JOB-011] has ended its turn when the answer comes, if the turn obeys", async () => {
    const clock = createManualClock(Date.now());
    const asked = gate();
    const host = await createTestHost({
      now: () => clock.now(),
      timers: clock,
      script: () => {
        asked.pass();
        return { text: "late", waitFor: new Promise(() => undefined) };
      },
    });
    await host.jobs.recover();
    await say(host, "/job hang");
    await asked.passed;
    const { jobId } = await onlyJob(host.store);
    await host.jobs.cancel(jobId, OPERATOR);
    expect(await host.store.jobs.runs.of(jobId)).toMatchObject([
      { outcome: "cancelled", endedAt: expect.any(Number) },
    ]);
  });

  it("[JOB-011] [JOB-403] takes the jobs below one that has ended along, and gets no more", async () => {
    const host = await createTestHost();
    const create = async (title: string, askedIn?: string) =>
      await host.jobs.create({
        ...{ title, description: title, agentId: "main", askedIn, creator: message("x") },
      });
    const top = await create("top");
    const middle = await create("middle", top.sessionKey);
    const bottom = await create("bottom", middle.sessionKey);
    for (const state of ["in_progress", "failed"] as const) {
      await host.store.jobs.move(middle.jobId, state);
    }
    await host.jobs.cancel(top.jobId, OPERATOR);
    expect((await host.store.jobs.get(middle.jobId))?.state).toBe("failed");
    expect((await host.store.jobs.get(bottom.jobId))?.state).toBe("cancelled");
    for (const asking of [top, middle]) {
      await expect(create("late", asking.sessionKey)).rejects.toThrow(
        "the job that asks for it is",
      );
    }
  });
});
