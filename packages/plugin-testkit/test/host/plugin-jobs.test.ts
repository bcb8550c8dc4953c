import type { OpenClawPluginApi } from "@openclaw/plugin-sdk";
import type { PluginJob, PluginJobs } from "@openclaw/plugin-sdk/services";
import type { ToolRequester } from "@openclaw/plugin-sdk/tools";
import { describe, expect, it, onTestFinished } from "vitest";
import { createTestHost, type TestHostOptions } from "../../src/index.js";

const NOT_FOUND = { code: "JOB_NOT_FOUND" };
const WRONG = [{ done: -1 }, { done: 2, total: 1 }, { done: 2, note: 1 }];
const SESSION = "agent:main:main";

/** Opens a host with a plugin that has a tool, and a second plugin; returns their `api.jobs`. */
async function jobHost(options: Partial<TestHostOptions> = {}, counted?: Promise<void>) {
  const apis: OpenClawPluginApi[] = [];
  const requesters: ToolRequester[] = [];
  const seen: unknown[] = [];
  const rejected: string[] = [];
  const host = await createTestHost({
    ...options,
    plugin: {
      id: "tested",
      register(api: OpenClawPluginApi) {
        apis.push(api);
        api.registerTool(({ job, requester }) => ({
          name: "count",
          description: "Counts.",
          parameters: { type: "object", properties: {}, additionalProperties: false },
          async execute() {
            if (requester !== undefined) requesters.push(requester);
            seen.push(job?.title);
            job?.progress({ done: 1, total: 3, note: "the first" });
            job?.progress({ done: 2, total: 3, note: "lost between" });
            job?.progress({ done: 3, total: 3, note: "the last" });
            for (const wrong of WRONG) {
              try {
                job?.progress(wrong as never);
              } catch (error) {
                rejected.push(String(error));
              }
            }
            if (job !== undefined) await counted;
            return "counted";
          },
        }));
      },
    },
    neighbours: [{ id: "neighbour", register: (api) => void apis.push(api) }],
  });
  onTestFinished(() => host.dispose());
  const [api, neighbour] = apis;
  if (api === undefined || neighbour === undefined) throw new Error("a plugin is missing");
  return { host, jobs: api.jobs, neighbour: neighbour.jobs, requesters, seen, rejected };
}

/** Observes a job until it has a state. */
async function untilState(jobs: PluginJobs, jobId: string, state: PluginJob["state"]) {
  const states: PluginJob[] = [];
  using _stop = await jobs.observe(jobId, (job) => void states.push(job));
  await expect.poll(() => states.at(-1)?.state).toBe(state);
  return states;
}

describe("api.jobs", { timeout: 20_000 }, () => {
  it("[JOB-980] creates a job whose result the plugin observes, once for one idempotency key", async () => {
    const { jobs } = await jobHost({ model: [{ text: "There are 3." }] });
    const request = { title: "Count", idempotencyKey: "today" };
    const job = await jobs.create(request);
    expect(job).toMatchObject({ title: "Count", awaitsApproval: false });
    const states = await untilState(jobs, job.jobId, "completed");
    expect(states.at(-1)).toMatchObject({ result: "There are 3." });
    expect((await jobs.create(request)).jobId).toBe(job.jobId);
    expect(await jobs.get(job.jobId)).toMatchObject({ state: "completed" });
  });

  it("[JOB-980] works with the rights of the requester, in whose conversation the result arrives", async () => {
    const { host, jobs, requesters } = await jobHost({
      model: [
        { toolCalls: [{ toolName: "count", params: {} }] },
        { text: "Counted." },
        { text: "There are 3." },
      ],
    });
    await host.turn("count");
    const [requester] = requesters;
    const job = await jobs.create({ title: "Count", sessionKey: "main", requester });
    await untilState(jobs, job.jobId, "submitted");
    const session = await host.receive({ text: "/jobs", sessionKey: SESSION });
    expect(session.text).toContain("Count: submitted");
  });

  it("[JOB-981] shows the newest progress of a tool at most once a second", async () => {
    let stopCounting = () => {};
    const counted = new Promise<void>((resolve) => {
      stopCounting = resolve;
    });
    const model = [{ toolCalls: [{ toolName: "count", params: {} }] }, { text: "Done." }];
    const { host, jobs, seen, rejected } = await jobHost({ model }, counted);
    await host.callTool("count");
    expect(seen).toEqual([undefined]);
    const job = await jobs.create({ title: "Count", description: "Count the files." });
    const notes = new Set<string>();
    using _stop = await jobs.observe(job.jobId, ({ progress }) => {
      if (progress?.note !== undefined) notes.add(progress.note);
    });
    await expect.poll(() => [...notes]).toEqual(["the first"]);
    const { text } = await host.receive({ text: "/jobs" });
    expect(text).toContain("Count: running (1 of 3, the first)");
    await host.advance(1000);
    await expect.poll(() => [...notes]).toEqual(["the first", "the last"]);
    stopCounting();
    const states = await untilState(jobs, job.jobId, "completed");
    expect(states.at(-1)?.progress).toEqual({ done: 3, total: 3, note: "the last" });
    expect(seen.at(-1)).toBe("Count");
    expect(rejected).toEqual([
      expect.stringContaining('parameter "done"'),
      expect.stringContaining('parameter "total"'),
      expect.stringContaining('parameter "note"'),
    ]);
  });

  it("[JOB-980] cancels a job; those of others are not found", async () => {
    const { jobs, neighbour } = await jobHost({
      model: [{ waitFor: new Promise(() => undefined), text: "" }],
    });
    const { jobId } = await jobs.create({ title: "Wait" });
    expect(await neighbour.get(jobId)).toBeUndefined();
    await expect(neighbour.cancel(jobId)).rejects.toMatchObject(NOT_FOUND);
    await expect(neighbour.observe(jobId, () => undefined)).rejects.toMatchObject(NOT_FOUND);
    const states: string[] = [];
    using _stop = await jobs.observe(jobId, (job) => void states.push(job.state));
    const cancelling = jobs.cancel(jobId);
    expect(await cancelling).toMatchObject({ state: "cancelled" });
    expect(states.at(-1)).toBe("cancelled");
    await expect(jobs.cancel(jobId)).rejects.toMatchObject({ code: "JOB_TRANSITION" });
  });

  it.each([
    [{ title: "" }, "title"],
    [undefined, "request"],
  ])("[JOB-980] rejects a wrong request, and names its field: %j", async (request, argument) => {
    const { jobs } = await jobHost();
    await expect(jobs.create(request as never)).rejects.toMatchObject({
      code: "PLUGIN_REGISTRATION_INVALID",
      argument,
    });
    await expect(jobs.create({ title: "x", agentId: "nobody" })).rejects.toMatchObject({
      code: "JOB_REFUSED",
      message: expect.stringContaining("the agents are main"),
    });
    await expect(jobs.create({ title: "x", sessionKey: "agent:main:job:1" })).rejects.toMatchObject(
      {
        code: "JOB_REFUSED",
      },
    );
  });
});
