import { describe, expect, it } from "vitest";
import { eventually } from "../support/eventually.js";
import { createTestHost, message, SESSION } from "../support/host.js";
import { inState, look, OPERATOR, onlyJob, say } from "./support/only-job.js";

const TASK = { title: "Count", description: "Count the files.", agentId: "main" };

describe("the bounds of a job", () => {
  it("[JOB-012] are the model calls of a run, after which the job is stuck with the reason", async () => {
    let calls = 0;
    const host = await createTestHost({
      register: look,
      script: () => {
        calls += 1;
        return { toolCalls: [{ toolName: "look", params: { calls } }] };
      },
    });
    await host.jobs.recover();
    await say(host, "/job look around");
    const { jobId } = await inState(host.store, "stuck");
    expect(calls).toBe(5);
    expect((await host.store.jobs.moves(jobId)).at(-1)).toMatchObject({
      to: "stuck",
      reason: "it used its 5 model calls without coming to an end",
    });
  });

  it("[JOB-982] are shared by the jobs that it asks for, at every depth", async () => {
    const host = await createTestHost({
      jobs: { maxParallel: 1 },
      script: () => ({ text: "ok", usage: { input: 30, output: 10 } }),
    });
    const creator = message("x");
    const parent = await host.jobs.create({ ...TASK, creator, askedIn: SESSION, maxTokens: 100 });
    // The deeper ones start first.
    const ask = async (askedIn: string, priority: number, maxTokens?: number) =>
      await host.jobs.create({ ...TASK, creator, askedIn, priority, maxTokens });
    const child = await ask(parent.sessionKey, 1);
    expect(child.maxTokens).toBe(100);
    expect((await ask(child.sessionKey, 2, 50)).maxTokens).toBe(50);
    await host.jobs.recover();
    const asking = await eventually(async () => {
      const now = await host.store.jobs.get(parent.jobId);
      return now?.budgetRequest === undefined ? undefined : now;
    });
    expect(asking).toMatchObject({ usedTokens: 120 });
    expect(asking.budgetRequest?.text).toContain("used 120 of the 100");
    await expect(ask(parent.sessionKey, 1)).rejects.toThrow("is used up");
    const deep = await host.store.jobs.childrenOf(child.jobId);
    expect(deep).toHaveLength(1);
    expect(await host.store.jobs.get(child.jobId)).toMatchObject({ usedTokens: 80 });
  });

  it("[JOB-016] [TURN-010] include a conversation whose first message is /job: plugins learn of it", async () => {
    const started: string[] = [];
    const host = await createTestHost({
      register: (api) =>
        void api.on("session_start", ({ sessionKey }) => {
          started.push(sessionKey ?? "");
        }),
    });
    await host.jobs.recover();
    await say(host, "/job count");
    const { jobId } = await onlyJob(host.store);
    await inState(host.store, "submitted");
    expect(started.toSorted()).toEqual([`agent:main:job:${jobId}`, SESSION].toSorted());
    await host.jobs.accept(jobId, OPERATOR);
  });
});
