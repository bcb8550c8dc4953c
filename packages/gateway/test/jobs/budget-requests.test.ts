import { createManualClock } from "@openclaw/foundation";
import type { ModelScript } from "@openclaw/models";
import { describe, expect, it } from "vitest";
import { eventually } from "../support/eventually.js";
import { createTestHost, message, openTestStore, SESSION } from "../support/host.js";
import { historyOf, inState, look, OPERATOR, onlyJob, say } from "./support/only-job.js";

const USAGE = { usage: { input: 30, output: 10 } };
const BUDGET = { jobs: { budget: { maxTokens: 50 } } };

/** Two model calls with a tool between them; the second does not fit. */
const twoCalls = (): ModelScript => {
  let calls = 0;
  return () => {
    calls += 1;
    return calls < 3
      ? { toolCalls: [{ toolName: "look", params: { calls } }], ...USAGE }
      : { text: "Seen.", ...USAGE };
  };
};

async function waiting(store: Parameters<typeof onlyJob>[0]) {
  return await eventually(async () => {
    const job = await onlyJob(store);
    return job.budgetRequest?.isDelivered === true ? job : undefined;
  });
}

describe("a job whose budget is used up", () => {
  it("[JOB-391] asks the conversation that asked, and continues with as much again", async () => {
    const host = await createTestHost({ ...BUDGET, register: look, script: twoCalls() });
    await host.jobs.recover();
    await say(host, "/job look around");
    const asking = await waiting(host.store);
    expect(asking).toMatchObject({ state: "in_progress", usedTokens: 80 });
    const id = asking.jobId.slice(0, 8);
    expect((await historyOf(host.store)).at(-1)).toContain(`/job continue ${id} 50000`);
    expect(await say(host, "/jobs")).toContain("waits for an answer: ");
    // Nothing else continues it, and nothing counts it as stuck.
    await host.jobs.check();
    expect(await onlyJob(host.store)).toMatchObject({ state: "in_progress", repairAttempts: 0 });
    expect(await say(host, `/job continue ${id}`)).toBe('Job "look around" continues.');
    const done = await inState(host.store, "submitted");
    expect(done).toMatchObject({ result: "Seen.", maxTokens: 130, budgetRequest: undefined });
    expect((await historyOf(host.store)).filter((line) => line.includes("waits:"))).toHaveLength(1);
    expect(await say(host, `/job continue ${id}`)).toMatch(/does not wait for an answer/);
  });

  it("[JOB-391] continues with the amount that the answer names, of a unit that it has", async () => {
    const host = await createTestHost({ ...BUDGET, register: look, script: twoCalls() });
    await host.jobs.recover();
    await say(host, "/job look around");
    const { jobId } = await waiting(host.store);
    expect(await say(host, `/job continue ${jobId} $2`)).toMatch(/it has no budget of money/);
    expect(await say(host, `/job continue ${jobId} 2k`)).toContain("continues");
    expect(await inState(host.store, "submitted")).toMatchObject({ maxTokens: 2080 });
  });

  it("[JOB-391] delivers a result that is there already, without another model call", async () => {
    const host = await createTestHost({
      jobs: { budget: { maxTokens: 1 } },
      script: () => ({ text: "There are 3.", ...USAGE }),
    });
    await host.jobs.recover();
    await say(host, "/job count");
    const { jobId } = await waiting(host.store);
    const calls = host.asked().length;
    await host.jobs.answer(jobId, OPERATOR, {});
    expect(await inState(host.store, "submitted")).toMatchObject({ result: "There are 3." });
    expect(host.asked()).toHaveLength(calls);
  });

  it("[JOB-391] ends when the answer is to stop", async () => {
    const host = await createTestHost({ ...BUDGET, register: look, script: twoCalls() });
    await host.jobs.recover();
    await say(host, "/job look around");
    const { jobId } = await waiting(host.store);
    expect(await say(host, `/job cancel ${jobId}`)).toBe('Job "look around" is cancelled.');
    expect(await onlyJob(host.store)).toMatchObject({
      state: "cancelled",
      budgetRequest: undefined,
    });
  });

  it("[JOB-391] still waits after a restart, asks once, and fails without an answer within a day", async () => {
    const clock = createManualClock(Date.now());
    const store = await openTestStore(() => clock.now());
    const options = { ...BUDGET, store, register: look, now: () => clock.now(), timers: clock };
    const first = await createTestHost({ ...options, script: twoCalls() });
    await first.jobs.recover();
    await say(first, "/job look around");
    const { jobId } = await waiting(store);
    first.jobs.close();
    const second = await createTestHost({ ...options, script: twoCalls() });
    await second.jobs.recover();
    await second.jobs.check();
    const asked = async () =>
      (await historyOf(store)).filter((line) => line.includes("waits:")).length;
    expect(await asked()).toBe(1);
    expect((await onlyJob(store)).state).toBe("in_progress");
    clock.advance(90_000_000);
    await second.jobs.check();
    const failed = await inState(store, "failed", jobId);
    expect(failed.failure).toMatchObject({
      code: "JOB_BUDGET_EXCEEDED",
      message: expect.stringMatching(/no user answered within a day$/),
    });
    expect(await asked()).toBe(1);
  });

  it("[JOB-391] fails with the reason when the budget request cannot be delivered", async () => {
    const host = await createTestHost({
      ...BUDGET,
      register: look,
      script: twoCalls(),
      findSurface: ({ channel }) =>
        channel === "telegram"
          ? { send: () => Promise.reject(new Error("the chat is gone")) }
          : undefined,
    });
    await host.jobs.recover();
    await say(host, "/job look", { channel: "telegram", conversationId: "42", senderId: "7" });
    const failed = await inState(host.store, "failed");
    expect(failed.failure?.message).toContain("no user could be asked (the chat is gone)");
  });

  it("[JOB-391] fails with the reason when no conversation asked, and when another job did", async () => {
    const host = await createTestHost({ ...BUDGET, register: look, script: twoCalls() });
    const task = { title: "look", description: "look", agentId: "main", creator: message("x") };
    const alone = await host.jobs.create(task);
    await host.jobs.recover();
    const failed = await inState(host.store, "failed", alone.jobId);
    expect(failed.failure).toMatchObject({ code: "JOB_BUDGET_EXCEEDED" });
    const parent = await host.jobs.create({ ...task, askedIn: SESSION, maxTokens: 0 });
    await inState(host.store, "submitted", parent.jobId);
    const child = await host.jobs.create({ ...task, askedIn: parent.sessionKey, maxTokens: 1 });
    await inState(host.store, "failed", child.jobId);
  });
});
