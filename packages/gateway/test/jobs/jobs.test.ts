import { TurnSuspendedError } from "@openclaw/agent";
import { createManualClock } from "@openclaw/foundation";
import type { Job, Store } from "@openclaw/store";
import { describe, expect, it } from "vitest";
import { eventually } from "../support/eventually.js";
import {
  createTestHost,
  gate,
  message,
  openTestStore,
  SESSION,
  type TestHost,
} from "../support/host.js";

const OPERATOR = { isOperator: true, owner: "" };

/** Text of the last message that a model was asked. */
function lastOf({ prompt }: { readonly prompt: readonly { readonly content: unknown }[] }) {
  return JSON.stringify(prompt.at(-1)?.content);
}

async function onlyJob(store: Store): Promise<Job> {
  const [job, ...others] = await store.jobs.list({ limit: 10 });
  expect(others).toEqual([]);
  if (job === undefined) throw new Error("there is no job");
  return job;
}

/** Resolves with a job once it has a state. */
async function inState(store: Store, state: Job["state"], id?: string): Promise<Job> {
  return await eventually(async () => {
    const job = id === undefined ? await onlyJob(store) : await store.jobs.get(id);
    return job?.state === state ? job : undefined;
  });
}

async function historyOf(store: Store, sessionKey = SESSION): Promise<readonly string[]> {
  const session = await store.sessions.get(sessionKey);
  const entries = await store.messages.transcript.load(session?.sessionId ?? "");
  return entries.map(({ message: { role, content } }) => {
    const texts = content.flatMap((part) => (part.type === "text" ? [part.text] : []));
    return `${role}: ${texts.join()}`;
  });
}

const say = async (host: TestHost, text: string, rest = {}) => {
  const outcome = await host.flow.receive(message(text, rest), {});
  return "text" in outcome ? outcome.text : outcome.status;
};

describe("a job", () => {
  it("[JOB-016] [SUB-012] runs in its own session, and its result arrives in the conversation that asked", async () => {
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
    expect(two).toEqual({ state: "failed", reason: expect.stringContaining("the chat is gone") });
    const [job] = await host.store.jobs.list({ limit: 1 });
    expect(job).toMatchObject({ state: "completed", result: "ok" });
    await host.jobs.accept(job?.jobId ?? "", OPERATOR);
  });

  it("[JOB-008] waits while as many run as may run, and starts in order", async () => {
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
    expect(await say(host, "/job ee")).toMatch(/^MaxJobsExceeded: 4 jobs are unfinished/);
    open.pass();
    await eventually(async () =>
      (await host.store.jobs.counts()).completed + (await host.store.jobs.counts()).submitted === 4
        ? true
        : undefined,
    );
    expect(begun.map((text) => /aa|bb|cc|dd/.exec(text)?.[0])).toEqual(["aa", "bb", "cc", "dd"]);
  });

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
    expect(await say(host, `/job cancel ${jobId.slice(0, 8)}`)).toBe(
      'Job "long work" is cancelled.',
    );
    await host.queue.idle();
    for (const id of [jobId, child.jobId]) {
      expect((await host.store.jobs.get(id))?.state).toBe("cancelled");
    }
    expect(await say(host, `/cancel ${jobId}`)).toMatch(
      /^Cannot transition from cancelled to cancelled/,
    );
    expect(await historyOf(host.store)).toEqual([]);
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
        shown.push(`${approval.state} ${approval.sessionKey}`);
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
    expect(shown[0]).toBe(`pending ${job.sessionKey}`);
  });

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

  it("[JOB-018] [JOB-019] is stuck when its turn shows no progress, and not before", async () => {
    const clock = createManualClock(Date.now());
    const asked = gate();
    const host = await createTestHost({
      jobs: { stuckSeconds: 300, checkSeconds: 60, maxRepairs: 0 },
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

  it("[JOB-007] fails with the reason when its budget is used up", async () => {
    const host = await createTestHost({
      jobs: { budget: { maxTokens: 1 } },
      script: () => ({ text: "ok", usage: { input: 10, output: 10 } }),
    });
    await host.jobs.recover();
    await say(host, "/job count");
    const job = await inState(host.store, "failed");
    expect(job.failure).toMatchObject({ code: "JOB_BUDGET_EXCEEDED" });
    expect(job.usedTokens).toBeGreaterThan(1);
    const again = await host.jobs.restart(job.jobId, OPERATOR);
    expect(again.jobId).not.toBe(job.jobId);
  });

  it("[JOB-009] continues after a restart by the ID of its run, and delivers once", async () => {
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
    expect(await say(host, `/job log ${jobId}`)).toContain("created");
    expect(await say(host, `/job cancel ${jobId}`)).toBe('Job "count" is cancelled.');
  });
});

function look(
  api: Parameters<NonNullable<Parameters<typeof createTestHost>[0]>["register"] & object>[0],
) {
  api.registerTool({
    name: "look",
    description: "Looks.",
    parameters: { type: "object" },
    execute: () => "a room",
  });
}
