import { createJobMethods } from "@openclaw/jobs";
import type { ScriptStep } from "@openclaw/models";
import { describe, expect, it } from "vitest";
import { eventually } from "../support/eventually.js";
import {
  createTestHost,
  gate,
  message,
  openTestStore,
  SESSION,
  type TestHostOptions,
} from "../support/host.js";
import { inState, onlyJob, say } from "./support/only-job.js";

/** Host whose agent answers a message `call <tool> <params>` with that call, and then with the result. */
async function toolHost(options: TestHostOptions = {}) {
  const host = await createTestHost({
    hasJobTools: true,
    script({ prompt }): ScriptStep {
      const last = prompt.at(-1);
      const text = JSON.stringify(last?.content);
      if (last?.role === "tool") return { text: text.replaceAll("\\", "") };
      const [, toolName, params] = /call (\w+) (\{.*?\})"/.exec(text.replaceAll("\\", "")) ?? [];
      if (toolName === undefined) return { text: "There are 3." };
      return { toolCalls: [{ toolName, params: JSON.parse(params ?? "{}") }] };
    },
    ...options,
  });
  await host.jobs.recover();
  const call = async (tool: string, params: object, rest = {}) => {
    const text = `call ${tool} ${JSON.stringify(params)}`;
    const outcome = await host.flow.receive(message(text, rest), {});
    return "text" in outcome ? outcome.text : outcome.status;
  };
  return { host, call };
}

const TASK = { title: "Count", description: "Count the files." };

describe("the tools of jobs", () => {
  it("[JOB-046] [SUB-015] create a job whose result is delivered, or which the call waits for", async () => {
    const { host, call } = await toolHost();
    expect(await call("create_job", TASK)).toMatch(/"state":\s*"(pending|in_progress)"/);
    const job = await eventually(async () => {
      const [found] = await host.store.jobs.list({ limit: 1 });
      return found?.state === "submitted" ? found : undefined;
    });
    expect(job).toMatchObject({ title: "Count", result: "There are 3.", askedIn: SESSION });
    expect(await call("job_status", { job_id: job.jobId })).toContain("There are 3.");

    expect(await call("create_job", { ...TASK, wait: true })).toContain("There are 3.");
    const waited = await eventually(async () => {
      const [found] = await host.store.jobs.list({ limit: 1 });
      return found?.delivery === undefined ? undefined : found;
    });
    expect(waited.delivery).toMatchObject({
      state: "delivered",
      reason: "a tool call waited for it",
    });
    const session = await host.store.sessions.get(SESSION);
    const entries = await host.store.messages.transcript.load(session?.sessionId ?? "");
    const posts = entries.filter((entry) => JSON.stringify(entry).includes("is done:"));
    expect(posts).toHaveLength(1);
    expect(await call("create_job", { ...TASK, mode: "claude_code" })).toContain(
      "does not run jobs",
    );
  });

  it("[JOB-046] [APPR-005] answer a job of another sender as not found, and ask before a cancel", async () => {
    const { host, call } = await toolHost();
    const anna = { senderId: "anna", senderIsOwner: false, sessionKey: "agent:main:anna" };
    const bert = { senderId: "bert", senderIsOwner: false, sessionKey: "agent:main:bert" };
    const open = host.jobs;
    const job = await open.create({
      ...TASK,
      ...{ agentId: "main", creator: message("x", anna), askedIn: anna.sessionKey },
    });
    expect(await call("job_status", { job_id: job.jobId }, bert)).toContain("not found");
    expect(await call("list_jobs", {}, bert)).toContain("[]");
    expect(await call("list_jobs", {}, anna)).toContain(job.jobId);
    // No approver can answer the request, so the call is denied.
    expect(await call("cancel_job", { job_id: job.jobId }, anna)).not.toContain("cancelled");
    expect((await host.store.jobs.get(job.jobId))?.state).not.toBe("cancelled");
  });

  it("[JOB-017] create at most 5 jobs in a minute and 30 in an hour for one sender", async () => {
    let now = Date.now();
    const store = await openTestStore(() => now);
    const { host, call } = await toolHost({ store, now: () => now });
    for (let number = 0; number < 5; number += 1) {
      expect(await call("create_job", { ...TASK, title: `Count ${number}` })).toContain("state");
    }
    expect(await call("create_job", TASK)).toContain("At most 5 jobs per minute");
    expect(await store.jobs.list({ limit: 10 })).toHaveLength(5);
    for (let number = 5; number < 30; number += 1) {
      now += 60_000;
      await host.jobs.create({ ...TASK, agentId: "main", creator: message("x") });
    }
    now += 60_000;
    expect(await call("create_job", TASK)).toContain("30 per hour");
    now += 3_600_000;
    expect(await call("create_job", TASK)).toContain("state");
  });

  it("[JOB-017] [CHAN-035] show the same jobs as the methods of clients", async () => {
    const states: string[] = [];
    const { host } = await toolHost({
      events: {
        publish(name, payload) {
          if (name === "job.changed" && "state" in payload) states.push(String(payload.state));
        },
      },
    });
    const methods = createJobMethods({
      jobs: host.jobs,
      agents: { agentIds: ["main"], defaultAgent: "main" },
      fullKey: (key) => (key === "main" ? SESSION : key),
    });
    const created = await methods.call("jobs.create", { title: "Count" });
    await eventually(async () => (states.includes("completed") ? true : undefined));
    const { jobId } = created;
    expect(await methods.call("jobs.get", { jobId: jobId.slice(0, 8) })).toMatchObject({
      ...{ title: "Count", description: "Count", result: "There are 3.", channel: "api" },
    });
    expect(await methods.call("jobs.list", { states: ["completed"] })).toMatchObject({
      jobs: [{ jobId }],
    });
    expect(await methods.call("jobs.summary", {})).toMatchObject({ total: 1 });
    expect(await methods.call("jobs.events", { jobId })).toMatchObject({
      moves: [{ to: "in_progress" }, { to: "completed" }],
      runs: [{ outcome: "completed" }],
    });
    expect(await methods.call("jobs.accept", { jobId })).toMatchObject({
      state: "accepted",
    });
    await expect(methods.call("jobs.cancel", { jobId })).rejects.toThrow(
      "Cannot transition from accepted to cancelled",
    );
    await expect(methods.call("jobs.get", { jobId: "none" })).rejects.toThrow(
      'job "none" not found',
    );
    await expect(
      methods.call("jobs.create", { title: "x", sessionKey: "agent:main:job:1" }),
    ).rejects.toThrow("must be of one of the agents main");
  });

  it("[JOB-014] keep the plan of a job, which users and clients see as n of m", async () => {
    const open = gate();
    const steps = [
      { text: "Find the files", state: "done" },
      { text: "Count them", state: "active" },
      { text: "Write the table", state: "pending" },
    ];
    const plans: unknown[] = [];
    const offered = new Set<boolean>();
    const script: ScriptStep[] = [
      { toolCalls: [{ toolName: "update_plan", params: { steps } }] },
      { text: "There are 3.", waitFor: open.passed },
    ];
    const { host } = await toolHost({
      script({ prompt, tools = [] }) {
        offered.add(tools.some(({ name }) => name === "update_plan"));
        return script[prompt.filter(({ role }) => role === "tool").length] ?? { text: "" };
      },
      events: {
        publish(name, payload) {
          if (name === "job.changed" && "plan" in payload) plans.push(payload.plan);
        },
      },
    });
    await say(host, "/job count");
    await eventually(async () => (plans.length > 0 ? true : undefined));
    expect(plans).toEqual([{ done: 1, total: 3, step: "Count them" }]);
    expect(await say(host, "/jobs")).toContain("count: running, 1 of 3: Count them");
    const { jobId } = await onlyJob(host.store);
    expect(await say(host, `/status ${jobId}`)).toContain(
      "[x] Find the files\n[>] Count them\n[ ] Write the table",
    );
    open.pass();
    expect(await inState(host.store, "submitted")).toMatchObject({ plan: steps });
    expect([...offered]).toEqual([true]);
    await host.flow.receive(message("hello"), {});
    expect([...offered]).toEqual([true, false]);
    await expect(host.jobs.plan(SESSION, [])).rejects.toThrow("does not run");
  });

  it("[JOB-014] offer no plan where jobs.planning is off", async () => {
    const offered = new Set<string>();
    const { host } = await toolHost({
      jobs: { planning: false },
      script({ tools = [] }) {
        for (const { name } of tools) offered.add(name);
        return { text: "ok" };
      },
    });
    await say(host, "/job count");
    await inState(host.store, "submitted");
    expect(offered.has("tool_search")).toBe(true);
    expect(offered.has("update_plan")).toBe(false);
  });
});
