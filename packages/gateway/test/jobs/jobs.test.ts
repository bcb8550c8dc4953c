import { createManualClock } from "@openclaw/foundation";
import { JOB_QUEUE } from "@openclaw/store";
import { describe, expect, it } from "vitest";
import { eventually } from "../support/eventually.js";
import { createTestHost, gate, message, openTestStore, SESSION } from "../support/host.js";
import { historyOf, inState, lastOf, look, OPERATOR, onlyJob, say } from "./support/only-job.js";

describe("a job", () => {
  it("[JOB-930] has the first line of its task as title, and keeps all lines", async () => {
    const host = await createTestHost();
    await say(host, "/job  count:\n  - the files\n  - the folders");
    expect(await onlyJob(host.store)).toMatchObject({
      title: "count:",
      description: "count:\n  - the files\n  - the folders",
    });
    expect(await say(host, "/job cancel")).toContain("/job cancel needs the ID of a job");
    expect(await host.store.jobs.list({ limit: 5 })).toHaveLength(1);
  });

  it("[JOB-013] [JOB-016] [SUB-012] runs in its own session, and its result arrives in the conversation that asked", async () => {
    const published: string[] = [];
    const host = await createTestHost({
      script: (call) => ({ text: lastOf(call).includes("count") ? "There are 3." : "ok" }),
      events: {
        publish: (name, payload) => void published.push(`${name} ${JSON.stringify(payload)}`),
      },
    });
    await host.jobs.recover();
    await say(host, "hello");
    expect(await say(host, "/job count the files")).toMatch(/^Job [0-9a-f]{8} is started\. /);
    const job = await inState(host.store, "submitted");
    expect(job).toMatchObject({
      title: "count the files",
      sessionKey: `agent:main:job:${job.jobId}`,
      askedIn: SESSION,
      result: "There are 3.",
      delivery: { state: "delivered" },
    });
    // Its first answer without a tool call ends it: the model was called for the chat, and once for the job.
    expect(host.asked()).toHaveLength(2);
    expect((await host.store.jobs.moves(job.jobId)).map(({ from, to }) => `${from} ${to}`)).toEqual(
      ["pending in_progress", "in_progress completed", "completed submitted"],
    );
    expect(await historyOf(host.store)).toEqual([
      "user: hello",
      "assistant: ok",
      'assistant: Job "count the files" is done:\n\nThere are 3.',
    ]);
    expect(published.filter((line) => line.startsWith("chat.posted"))).toHaveLength(1);
    const states = published.flatMap((line) => /"state":"(\w+)"/.exec(line)?.[1] ?? []);
    expect(states).toEqual(["pending", "in_progress", "completed", "submitted"]);
    expect(await host.jobs.accept(job.jobId.slice(0, 8), OPERATOR)).toMatchObject({
      state: "accepted",
    });
    await expect(host.jobs.restart(job.jobId, OPERATOR)).rejects.toThrow(
      "Cannot transition from accepted to in_progress",
    );
  });

  it("[JOB-016] is delivered on the channel that asked, once, and recorded when the channel fails", async () => {
    const sent: string[] = [];
    let isBroken = false;
    const host = await createTestHost({
      findSurface: ({ channel }) =>
        channel === "telegram"
          ? {
              async send({ text = "" }) {
                if (isBroken) throw new Error("the chat is gone");
                sent.push(text);
                return {};
              },
            }
          : undefined,
    });
    await host.jobs.recover();
    const place = { channel: "telegram", conversationId: "42", senderId: "7" };
    await say(host, "hello", place);
    await say(host, "/job one", place);
    await inState(host.store, "submitted");
    await host.jobs.check();
    expect(sent).toEqual(['Job "one" is done:\n\nok']);

    isBroken = true;
    await say(host, "/job two", place);
    const two = await eventually(async () => {
      const [job] = await host.store.jobs.list({ limit: 1 });
      return job?.delivery;
    });
    expect(two).toEqual({
      ...{ state: "failed", code: "SEND_FAILED", at: expect.any(Number) },
      reason: expect.stringContaining("the chat is gone"),
    });
    const [job] = await host.store.jobs.list({ limit: 1 });
    expect(await host.store.jobs.runs.of(job?.jobId ?? "")).toMatchObject([{ delivery: two }]);
    expect(await say(host, `/status ${job?.jobId}`, place)).toContain(
      "State: completed, delivery failed: ",
    );
    expect(job).toMatchObject({ state: "completed", result: "ok" });
    await host.jobs.accept(job?.jobId ?? "", OPERATOR);
  });

  it("[JOB-390] whose channel no longer runs keeps its result in the conversation, and reports the failed delivery", async () => {
    const host = await createTestHost();
    await host.jobs.recover();
    const place = { channel: "telegram", conversationId: "42", senderId: "7" };
    await say(host, "/job one", place);
    const job = await eventually(async () => {
      const now = await onlyJob(host.store);
      return now.delivery === undefined ? undefined : now;
    });
    expect(job).toMatchObject({
      ...{ state: "completed", result: "ok" },
      delivery: { state: "failed", code: "CHANNEL_NOT_RUNNING" },
    });
    expect(await historyOf(host.store)).toEqual(['assistant: Job "one" is done:\n\nok']);
    await host.jobs.check();
    expect(await historyOf(host.store)).toHaveLength(1);
    expect(await say(host, "/jobs", place)).toContain(
      "one: completed, delivery failed: the channel telegram is not running",
    );
  });

  it("[JOB-008] [SCALE-015] waits in its queue while as many run as may run, and starts in order", async () => {
    const open = gate();
    const begun: string[] = [];
    const host = await createTestHost({
      jobs: { maxParallel: 2, maxActive: 4 },
      script: (call) => {
        begun.push(lastOf(call));
        return { text: "ok", waitFor: open.passed };
      },
    });
    await host.jobs.recover();
    const ids: string[] = [];
    for (const text of ["aa", "bb", "cc", "dd"]) {
      await say(host, `/job ${text}`);
      ids.unshift((await host.store.jobs.list({ limit: 1 }))[0]?.jobId ?? "");
    }
    await eventually(async () => (begun.length === 2 ? true : undefined));
    expect(await host.store.jobs.counts()).toMatchObject({ in_progress: 2, pending: 2 });
    const items = await host.store.queues.list(JOB_QUEUE, { limit: 10 });
    expect(items.map(({ attempts }) => attempts)).toEqual([1, 1, 0, 0]);
    expect(await say(host, "/job ee")).toMatch(/^MaxJobsExceeded: 4 jobs are unfinished/);
    open.pass();
    await eventually(async () =>
      (await host.store.jobs.counts()).completed + (await host.store.jobs.counts()).submitted === 4
        ? true
        : undefined,
    );
    expect(await host.store.queues.list(JOB_QUEUE, { limit: 10 })).toEqual([]);
    expect(begun.map((text) => /aa|bb|cc|dd/.exec(text)?.[0])).toEqual(["aa", "bb", "cc", "dd"]);
  });

  it("[JOB-015] stops its clock while it waits for an approval, and asks where it was asked for", async () => {
    const clock = createManualClock(Date.now());
    const shown: string[] = [];
    const host = await createTestHost({
      jobs: { timeoutSeconds: 60, stuckSeconds: 100_000, checkSeconds: 3600 },
      now: () => clock.now(),
      timers: clock,
      register: (api) =>
        api.registerTool({
          name: "publish",
          description: "Publishes.",
          parameters: { type: "object" },
          approval: "always",
          execute: () => "published",
        }),
      script: ({ prompt }) =>
        prompt.at(-1)?.role === "tool"
          ? { text: "It is published." }
          : { toolCalls: [{ toolName: "publish", params: {} }] },
    });
    await host.jobs.recover();
    const requested = gate<string>();
    host.presence.attend({
      channel: "test",
      sessionKey: SESSION,
      show(approval) {
        shown.push(`${approval.state} ${approval.sessionKey} for ${approval.job?.title}`);
        if (approval.state === "pending") requested.pass(approval.id);
      },
    });
    await say(host, "/job publish it");
    const approvalId = await requested.passed;
    await eventually(async () => ((await onlyJob(host.store)).awaitsApproval ? true : undefined));
    clock.advance(3_600_000);
    expect((await onlyJob(host.store)).state).toBe("in_progress");
    await host.approvals.decide(
      approvalId,
      { decision: "allow-once", via: "test" },
      { channel: "test", senderId: "owner", isOwner: true },
    );
    const job = await eventually(async () => {
      const now = await onlyJob(host.store);
      return now.result === undefined ? undefined : now;
    });
    expect(job).toMatchObject({ result: "It is published.", awaitsApproval: false });
    expect(shown[0]).toBe(`pending ${job.sessionKey} for publish it`);
  });

  it("[JOB-007] [LLM-030] fails with the reason when its budget is used up and no user can be asked, and its calls are counted as its own", async () => {
    const host = await createTestHost({
      jobs: { budget: { maxTokens: 1 } },
      script: () => ({ text: "ok", usage: { input: 10, output: 10 } }),
    });
    await host.jobs.recover();
    const task = { title: "count", description: "count", agentId: "main" };
    await host.jobs.create({ ...task, creator: message("x") });
    const job = await inState(host.store, "failed");
    expect(job.failure).toMatchObject({ code: "JOB_BUDGET_EXCEEDED" });
    expect(job.usedTokens).toBeGreaterThan(1);
    const query = { from: 0, to: Date.now() + 60_000, groupBy: "job" } as const;
    expect(await host.store.spending.sums(query)).toMatchObject([
      { key: job.jobId, calls: 1, input: 10, output: 10 },
    ]);
    const again = await host.jobs.restart(job.jobId, OPERATOR);
    expect(again.jobId).not.toBe(job.jobId);
  });

  it("[JOB-017] is shown to its owner and to the operator only", async () => {
    const host = await createTestHost();
    const own = { senderId: "anna", senderIsOwner: false };
    await say(host, "/job count", own);
    const { jobId } = await onlyJob(host.store);
    expect(await say(host, `/status ${jobId}`, own)).toContain("State: pending");
    expect(await say(host, "/jobs", own)).toContain("count: pending");
    const other = { senderId: "bert", senderIsOwner: false };
    expect(await say(host, `/status ${jobId}`, other)).toMatch(/^job ".*" not found/);
    expect(await say(host, `/cancel ${jobId}`, other)).toMatch(/^job ".*" not found/);
    expect(await say(host, "/jobs", other)).toMatch(/^There are no jobs/);
    expect(await say(host, "/jobs")).toContain("count: pending");
    expect(await say(host, "/jobs active")).toContain("count: pending");
    expect(await say(host, "/jobs failed")).toMatch(/^There are no jobs/);
    expect(await say(host, "/jobs fooo")).toMatch(/^"fooo" selects no jobs; use active, /);
    expect(await say(host, `/job log ${jobId}`)).toContain("created");
    expect(await say(host, `/job cancel ${jobId}`)).toBe('Job "count" is cancelled.');
  });

  it("[JOB-016] is accepted by itself once jobs.autoAcceptSeconds are over", async () => {
    const clock = createManualClock(Date.now());
    const store = await openTestStore(() => clock.now());
    const host = await createTestHost({
      store,
      jobs: { autoAcceptSeconds: 100 },
      now: () => clock.now(),
      timers: clock,
    });
    await host.jobs.recover();
    await store.sessions.open(SESSION, { agentId: "main" });
    await say(host, "/job count");
    await inState(store, "submitted");
    clock.advance(99_000);
    await host.jobs.check();
    expect((await onlyJob(store)).state).toBe("submitted");
    clock.advance(1_000);
    await host.jobs.check();
    expect((await inState(store, "accepted")).state).toBe("accepted");
  });

  it("[JOB-015] gets no approval for a call when no conversation asked for it", async () => {
    const results: string[] = [];
    const host = await createTestHost({
      register: (api) =>
        api.registerTool({
          name: "publish",
          description: "Publishes.",
          parameters: { type: "object" },
          approval: "always",
          execute: () => "published",
        }),
      script: (call) => {
        if (call.prompt.at(-1)?.role !== "tool") {
          return { toolCalls: [{ toolName: "publish", params: {} }] };
        }
        results.push(lastOf(call));
        return { text: "It was not possible." };
      },
    });
    await host.jobs.recover();
    const task = { title: "publish", description: "publish it", agentId: "main" };
    await host.jobs.create({ ...task, creator: message("x") });
    const job = await inState(host.store, "completed");
    expect(job.result).toBe("It was not possible.");
    expect(results).toEqual([expect.stringMatching(/approv/)]);
    expect(results[0]).not.toContain("published");
  });

  it("[CHAN-035] sends the messages, tool calls and results of its turns to clients", async () => {
    const names = new Set<string>();
    const host = await createTestHost({
      register: look,
      script: ({ prompt }) =>
        prompt.at(-1)?.role === "tool"
          ? { text: "Seen." }
          : { toolCalls: [{ toolName: "look", params: {} }] },
      events: {
        publish(name, payload) {
          if (JSON.stringify(payload).includes('"sessionKey":"agent:main:job:')) names.add(name);
        },
      },
    });
    await host.jobs.recover();
    await host.store.sessions.open(SESSION, { agentId: "main" });
    await say(host, "/job look around");
    await inState(host.store, "submitted");
    for (const name of [
      "chat.started",
      "chat.delta",
      "chat.final",
      "tool.started",
      "tool.result",
    ]) {
      expect([...names]).toContain(name);
    }
  });
});
