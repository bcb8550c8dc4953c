import { generatedTimeout, isReleaseCheck } from "@openclaw/foundation/testing";
import type { Store } from "@openclaw/store";
import { describe, expect, it } from "vitest";
import { openTestStore } from "../support/host.js";
import { type FinishedJobs, type JobScenario, runJobsKilled } from "../support/job-crash.js";

/** Distance of the fault points that are tried; a release check tries all. */
const STRIDE = isReleaseCheck() ? 1 : 29;
/** First fault point that is tried. Each run begins at another one, so that several runs try all. */
const FIRST = Date.now() % STRIDE;
const ASKED_IN = "agent:main:one";
const RESULT = 'Job "do it" is done';

/** A job that has an effect, asks for an approval, has another effect, and delivers. */
const WORK: Omit<JobScenario, "deduplicates"> = {
  script({ prompt }) {
    const tools = prompt.filter(({ role }) => role === "tool").length;
    const toolName = ["once", "publish"][tools];
    return toolName === undefined
      ? { text: "It is done." }
      : { toolCalls: [{ toolName, params: {} }] };
  },
  async act({ send, until, store }) {
    send("job", "/job do it");
    await until(async () => {
      const [job] = await store.jobs.list({ limit: 1 });
      return job?.delivery !== undefined;
    });
  },
};

/** A job that asks for a job below it; both hang until they are cancelled. */
const CANCEL: JobScenario = {
  deduplicates: true,
  script({ prompt }) {
    const said = JSON.stringify(prompt);
    if (!said.includes("parent") || prompt.some(({ role }) => role === "tool")) {
      return { text: "never", waitFor: new Promise(() => undefined) };
    }
    const params = { title: "below", description: "hang below" };
    return { toolCalls: [{ toolName: "create_job", params }] };
  },
  async act({ send, until, store }) {
    send("job", "/job hang as parent");
    await until(async () => (await store.jobs.list({ limit: 3 })).length === 2);
    const [, parent] = await store.jobs.list({ limit: 2 });
    await until(async () => {
      const { in_progress, cancelled } = await store.jobs.counts();
      return in_progress + cancelled === 2;
    });
    send("cancel", `/job cancel ${parent?.jobId}`);
    await until(async () => {
      const { cancelled } = await store.jobs.counts();
      return cancelled === 2 && (await store.turns.unfinished()).length === 0;
    });
  },
};

async function leftOvers(store: Store): Promise<readonly string[]> {
  return [
    ...(await store.messages.inbox.inState("received")).map(({ id }) => `message ${id} is left`),
    ...(await store.turns.unfinished()).map(({ runId, state }) => `turn ${runId} is ${state}`),
    ...(await store.messages.outbox.undelivered()).map(({ id }) => `reply ${id} is not sent`),
    ...(await store.jobs.unsettled())
      .filter(({ delivery }) => delivery === undefined)
      .map(({ jobId, state }) => `job ${jobId} is ${state}`),
  ];
}

/** Returns what is wrong after a run of {@link WORK}; empty when nothing is. */
async function problemsOfWork(
  { world }: FinishedJobs,
  store: Store,
  deduplicates: boolean,
): Promise<readonly string[]> {
  const problems = [...(await leftOvers(store))];
  const [job, ...others] = await store.jobs.list({ limit: 5 });
  if (job === undefined) return [...problems, "the job was lost"];
  if (others.length > 0) problems.push(`${others.length} more jobs`);
  const given = world.sent.filter(({ text }) => text.startsWith(RESULT));
  const shown = deduplicates ? new Set(given.map(({ key }) => key)).size : given.length;
  const isKnown = job.state === "submitted" && job.delivery?.state === "delivered";
  const isUnknown = job.state === "completed" && job.delivery?.code === "DELIVERY_UNKNOWN";
  if (shown > 1) problems.push(`delivered ${shown} times`);
  if (isKnown ? shown !== 1 : !isUnknown || deduplicates) {
    problems.push(`${job.state}, ${JSON.stringify(job.delivery)}, delivered ${shown} times`);
  }
  const said = JSON.stringify(await transcriptOf(store, job.sessionKey));
  for (const tool of ["once", "publish"]) {
    const times = world.effects.get(tool) ?? 0;
    if (times > 1) problems.push(`${tool} ran ${times} times`);
    if (times === 0 && !said.includes("outcome unknown")) problems.push(`${tool} did not run`);
  }
  const asked = await transcriptOf(store, ASKED_IN);
  const results = asked.filter((text) => text.includes("is done:"));
  if (results.length !== 1) problems.push(`${results.length} results in the conversation`);
  for (const run of await store.jobs.runs.of(job.jobId)) {
    if (run.endedAt === undefined) problems.push(`run ${run.runId} has no end`);
    if (run.delivery === undefined) problems.push(`run ${run.runId} has no delivery`);
  }
  return problems;
}

async function transcriptOf(store: Store, sessionKey: string): Promise<readonly string[]> {
  const session = await store.sessions.get(sessionKey);
  const entries = await store.messages.transcript.load(session?.sessionId ?? "");
  return entries.map(({ message }) => JSON.stringify(message.content));
}

describe("jobs of a killed host", { timeout: generatedTimeout(600_000) }, () => {
  it.each([
    ["a channel that detects repeats", true],
    ["a channel that does not", false],
  ])("[JOB-402] are worked on and delivered once, with %s", async (_channel, deduplicates) => {
    const scenario = { ...WORK, deduplicates };
    const store = await openTestStore();
    const whole = await runJobsKilled(scenario, [], store);
    expect(await problemsOfWork(whole, store, deduplicates)).toEqual([]);
    expect(whole.points).toBeGreaterThan(50);
    for (let point = FIRST; point < whole.points; point += STRIDE) {
      const left = await openTestStore();
      const run = await runJobsKilled(scenario, [point], left);
      expect(await problemsOfWork(run, left, deduplicates), `killed at ${point}`).toEqual([]);
    }
  });

  it("[JOB-402] [JOB-011] stay cancelled with the jobs below them, and their turns end", async () => {
    const whole = await runJobsKilled(CANCEL, [], await openTestStore());
    expect(whole.points).toBeGreaterThan(50);
    for (let point = FIRST; point < whole.points; point += STRIDE) {
      const store = await openTestStore();
      const run = await runJobsKilled(CANCEL, [point], store);
      expect(await leftOvers(store), `killed at ${point}`).toEqual([]);
      expect(run.world.sent.filter(({ text }) => text.includes("is done"))).toEqual([]);
    }
  });
});
