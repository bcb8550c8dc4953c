import { createManualClock } from "@openclaw/foundation";
import { describe, expect, it } from "vitest";
import { historyOf, lastOf } from "../jobs/support/only-job.js";
import { eventually } from "../support/eventually.js";
import { createTestHost, gate, openTestStore, type TestHostOptions } from "../support/host.js";
import { addRoutine, ended, HOUR, MINUTE, MONDAY, OPERATOR } from "./support/routine.js";

function timed(options: TestHostOptions = {}) {
  const clock = createManualClock(MONDAY);
  return { clock, options: { now: () => clock.now(), timers: clock, ...options } };
}

describe("a routine", () => {
  it("[JOB-026] [JOB-030] runs at its time in its own session, and its reply arrives once where it was asked for", async () => {
    const asked: string[] = [];
    const { clock, options } = timed({
      script(call) {
        asked.push(lastOf(call));
        return { text: "Two letters." };
      },
    });
    const host = await createTestHost(options);
    await host.routines.recover();
    const routine = await addRoutine(host);
    clock.advance(10 * MINUTE - 1);
    await host.routines.get("morning", OPERATOR);
    expect(asked).toEqual([]);
    clock.advance(1);
    const [run] = await ended(host.store, routine.routineId, 1);
    expect(run).toMatchObject({
      plannedAt: MONDAY + 10 * MINUTE,
      state: "attention",
      answer: "Two letters.",
      delivery: { state: "delivered" },
    });
    expect(routine.sessionKey).toBe(`agent:main:cron:${routine.routineId}`);
    expect(await historyOf(host.store)).toEqual(["assistant: Two letters."]);
    expect(await historyOf(host.store, routine.sessionKey)).toEqual([
      "user: look at the inbox",
      "assistant: Two letters.",
    ]);
    clock.advance(24 * HOUR);
    expect(await ended(host.store, routine.routineId, 2)).toHaveLength(2);
    expect(asked).toHaveLength(2);
  });

  it("[JOB-029] [JOB-030] is silent when its reply contains ROUTINE_OK, unless it asks for success too", async () => {
    const { clock, options } = timed({ script: () => ({ text: "ROUTINE_OK" }) });
    const host = await createTestHost(options);
    await host.routines.recover();
    const quiet = await addRoutine(host);
    const loud = await addRoutine(host, { name: "loud", onSuccess: true });
    clock.advance(10 * MINUTE);
    expect(await ended(host.store, quiet.routineId, 1)).toMatchObject([
      { state: "ok", delivery: { state: "not-requested" } },
    ]);
    expect(await ended(host.store, loud.routineId, 1)).toMatchObject([
      { state: "ok", delivery: { state: "delivered" } },
    ]);
    expect(await historyOf(host.store)).toEqual(["assistant: ROUTINE_OK"]);
  });

  it("[JOB-027] makes one model call without tools and without earlier runs when it is lightweight", async () => {
    const calls: unknown[] = [];
    const { clock, options } = timed({
      register(api) {
        api.registerTool({
          name: "look",
          description: "Looks.",
          parameters: { type: "object" },
          execute: () => "a room",
        });
      },
      script({ prompt, tools = [], maxOutputTokens }) {
        const messages = prompt.filter(({ role }) => role !== "system").length;
        calls.push({ tools: tools.length, maxOutputTokens, messages });
        return { text: "ROUTINE_OK" };
      },
    });
    const host = await createTestHost(options);
    await host.routines.recover();
    const { routineId } = await addRoutine(host, { action: "lightweight" });
    clock.advance(10 * MINUTE);
    await ended(host.store, routineId, 1);
    clock.advance(24 * HOUR);
    await ended(host.store, routineId, 2);
    const expected = { tools: 0, maxOutputTokens: 4096, messages: 1 };
    expect(calls).toEqual([expected, expected]);
  });

  it("[JOB-027] creates a job and follows it when it is a full job", async () => {
    const { clock, options } = timed({ script: () => ({ text: "Filed 3 papers." }) });
    const host = await createTestHost(options);
    await host.jobs.recover();
    await host.routines.recover();
    const { routineId } = await addRoutine(host, { action: "full_job", prompt: "file the papers" });
    clock.advance(10 * MINUTE);
    const [run] = await ended(host.store, routineId, 1);
    expect(run).toMatchObject({ state: "attention", answer: "Filed 3 papers." });
    const [job, ...others] = await host.store.jobs.list({ limit: 5 });
    expect(others).toEqual([]);
    expect(job).toMatchObject({
      jobId: run?.jobId,
      title: "morning",
      description: expect.stringMatching(/^file the papers\n/),
    });
    expect(await historyOf(host.store)).toEqual(["assistant: Filed 3 papers."]);
  });

  it("[JOB-029] [JOB-030] has failed, and reports it once, when the turn or the job that a crash left is gone", async () => {
    const store = await openTestStore();
    const { clock, options } = timed({ store });
    const first = await createTestHost(options);
    const routines = [await addRoutine(first), await addRoutine(first, { name: "other" })];
    const works = [{ runId: "gone" }, { jobId: "gone" }];
    for (const [index, { routineId }] of routines.entries()) {
      const key = { routineId, plannedAt: MONDAY };
      await store.routines.runs.claim({ ...key, origin: "schedule", state: "queued" });
      await store.routines.runs.start(key, works[index] ?? {});
    }
    clock.advance(MINUTE);
    const second = await createTestHost(options);
    await second.routines.recover();
    const reasons = ["the gateway ended while it ran", "its job is no longer stored"];
    for (const [index, { routineId }] of routines.entries()) {
      expect(await ended(store, routineId, 1)).toMatchObject([
        { state: "failed", reason: reasons[index], delivery: { state: "delivered" } },
      ]);
    }
    expect(await historyOf(store)).toHaveLength(2);
  });

  it("[JOB-028] skips a due time while a run is going, or queues it, and never runs twice at once", async () => {
    const open = gate();
    let running = 0;
    let most = 0;
    const { clock, options } = timed({
      script() {
        running += 1;
        most = Math.max(most, running);
        const end = () => {
          running -= 1;
        };
        return { text: "ROUTINE_OK", waitFor: open.passed.then(end) };
      },
    });
    const host = await createTestHost(options);
    await host.routines.recover();
    const skipping = await addRoutine(host, { every: "10m" });
    clock.advance(10 * MINUTE);
    await eventually(async () => (running === 1 ? true : undefined));
    clock.advance(10 * MINUTE);
    const [skipped] = await ended(host.store, skipping.routineId, 1);
    expect(skipped).toMatchObject({
      state: "skipped",
      reason: `overlap: the run of ${new Date(MONDAY + 10 * MINUTE).toISOString()} was still going`,
    });
    await expect(host.routines.run("morning", OPERATOR)).rejects.toThrow("it runs already");
    await host.routines.update("morning", OPERATOR, { overlap: "queue" });
    clock.advance(10 * MINUTE);
    await eventually(async () => {
      const runs = await host.store.routines.runs.of({ ...skipping, limit: 9 });
      return runs[0]?.state === "queued" ? true : undefined;
    });
    open.pass();
    const runs = await ended(host.store, skipping.routineId, 3);
    expect(runs.map(({ state }) => state)).toEqual(["ok", "skipped", "ok"]);
    expect(most).toBe(1);
  });

  it("[JOB-028] keeps the rest that it asks for, and records what it skips", async () => {
    const { clock, options } = timed({ script: () => ({ text: "ROUTINE_OK" }) });
    const host = await createTestHost(options);
    await host.routines.recover();
    const { routineId } = await addRoutine(host, { every: "10m", cooldownSeconds: 900 });
    for (const count of [1, 2, 3]) {
      clock.advance(10 * MINUTE);
      await ended(host.store, routineId, count);
    }
    const runs = await ended(host.store, routineId, 3);
    expect(runs.map(({ state }) => state)).toEqual(["ok", "skipped", "ok"]);
    expect(runs[1]?.reason).toBe(
      "cooldown: the run before was 600 s earlier, and 900 s are the least",
    );
  });

  it("[JOB-028] lets runs beyond the maximum wait", async () => {
    const open = gate();
    let running = 0;
    let most = 0;
    const { clock, options } = timed({
      routines: { maxConcurrent: 2 },
      script() {
        running += 1;
        most = Math.max(most, running);
        const end = () => {
          running -= 1;
        };
        return { text: "ROUTINE_OK", waitFor: open.passed.then(end) };
      },
    });
    const host = await createTestHost(options);
    await host.routines.recover();
    const routines = [];
    for (const name of ["a", "b", "c", "d"]) routines.push(await addRoutine(host, { name }));
    clock.advance(10 * MINUTE);
    await eventually(async () => (running === 2 ? true : undefined));
    open.pass();
    for (const { routineId } of routines) {
      expect(await ended(host.store, routineId, 1)).toMatchObject([{ state: "ok" }]);
    }
    expect(most).toBe(2);
  });

  it("[JOB-030] [JOB-945] is disabled with a notice after five failures in a row", async () => {
    const { clock, options } = timed({
      script() {
        throw new Error("the provider is down");
      },
    });
    const host = await createTestHost(options);
    await host.routines.recover();
    const { routineId } = await addRoutine(host, { every: "10m" });
    for (const count of [1, 2, 3, 4, 5]) {
      clock.advance(10 * MINUTE);
      await ended(host.store, routineId, count);
    }
    clock.advance(HOUR);
    const runs = await ended(host.store, routineId, 5);
    expect(runs.map(({ state }) => state)).toEqual(Array.from({ length: 5 }, () => "failed"));
    const { routine } = await host.routines.get("morning", OPERATOR);
    expect(routine).toMatchObject({ enabled: false, disabledReason: "It failed 5 times in a row" });
    const told = await historyOf(host.store);
    expect(told).toHaveLength(5);
    expect(told.at(-1)).toMatch(
      /^assistant: Routine "morning" failed: .*It failed 5 times in a row, and is disabled; \/cron enable morning starts it again\.$/s,
    );
    await host.routines.update("morning", OPERATOR, { enabled: true });
    const [skipped] = await host.store.routines.runs.of({ routineId, limit: 1 });
    expect(skipped).toMatchObject({
      state: "skipped",
      reason: expect.stringMatching(/^disabled; so were all due times until /),
    });
  });

  it("[JOB-946] fails when its agent is gone, and tells where it was asked for", async () => {
    const { clock, options } = timed({ agentIds: ["other"] });
    const host = await createTestHost(options);
    await host.routines.recover();
    const { routineId } = await addRoutine(host);
    clock.advance(10 * MINUTE);
    const [run] = await ended(host.store, routineId, 1);
    expect(run).toMatchObject({
      state: "failed",
      reason: expect.stringMatching(/^its agent "main" no longer exists; /),
      delivery: { state: "delivered" },
    });
    expect(await historyOf(host.store)).toHaveLength(1);
  });

  it("[JOB-947] ends its run when it is removed, and leaves nothing behind", async () => {
    const open = gate();
    const { clock, options } = timed({
      script: () => ({ text: "late", waitFor: open.passed }),
    });
    const host = await createTestHost(options);
    await host.routines.recover();
    const { routineId, sessionKey } = await addRoutine(host);
    clock.advance(10 * MINUTE);
    await eventually(async () => (host.live.turns(sessionKey).length === 1 ? true : undefined));
    await host.routines.remove("morning", OPERATOR);
    open.pass();
    await eventually(async () => (host.live.turns(sessionKey).length === 0 ? true : undefined));
    expect(await host.store.routines.get(routineId)).toBeUndefined();
    expect(await historyOf(host.store)).toEqual([]);
    const isGone = async () => (await host.store.sessions.get(sessionKey)) === undefined;
    await eventually(async () => (await isGone()) || undefined);
    await expect(host.routines.get("morning", OPERATOR)).rejects.toThrow('routine "morning" not');
  });
});

describe("due times that passed while no gateway ran", () => {
  it("[JOB-026] [SCALE-016] run once, the latest by default, with their delay named", async () => {
    const store = await openTestStore();
    const { clock, options } = timed({ store });
    const first = await createTestHost(options);
    await first.routines.recover();
    const latest = await addRoutine(first, { name: "latest", every: "1h" });
    const all = await addRoutine(first, { name: "all", every: "1h", catchUp: "all" });
    const none = await addRoutine(first, { name: "none", every: "1h", catchUp: "none" });
    first.routines.close();
    clock.advance(3 * HOUR + 30 * MINUTE);
    const second = await createTestHost(options);
    await second.routines.recover();
    const states = async (routineId: string) =>
      (await ended(store, routineId, 3)).map(({ state }) => state);
    expect(await states(latest.routineId)).toEqual(["missed", "missed", "attention"]);
    expect(await states(all.routineId)).toEqual(["attention", "attention", "attention"]);
    expect(await states(none.routineId)).toEqual(["missed", "missed", "missed"]);
    const [, , late] = await ended(store, latest.routineId, 3);
    expect(late?.reason).toBe("late by 30 minutes");
    expect(await historyOf(store)).toContain("assistant: ok\n\n(late by 30 minutes)");
  });

  it("[JOB-026] share one record when they are older than the grace time", async () => {
    const store = await openTestStore();
    const { clock, options } = timed({ store });
    const first = await createTestHost(options);
    const { routineId } = await addRoutine(first, { every: "1h" });
    clock.advance(72 * HOUR + 30 * MINUTE);
    const second = await createTestHost(options);
    await second.routines.recover();
    const runs = await ended(store, routineId, 25);
    expect(runs).toHaveLength(25);
    expect(runs[0]).toMatchObject({
      state: "missed",
      plannedAt: MONDAY + HOUR,
      reason: expect.stringMatching(
        /^missed, and more than 1 day ago; so are all due times until /,
      ),
    });
    expect(runs.at(-1)).toMatchObject({ state: "attention", plannedAt: MONDAY + 72 * HOUR });
  });

  it("[JOB-026] stay where they are whatever is listed, edited or restarted", async () => {
    const store = await openTestStore();
    const { clock, options } = timed({ store });
    for (const _ of [1, 2, 3]) {
      const host = await createTestHost(options);
      if ((await host.routines.list(OPERATOR)).length === 0) await addRoutine(host);
      await host.routines.recover();
      await host.routines.list(OPERATOR);
      await host.routines.update("morning", OPERATOR, { prompt: `at ${clock.now()}` });
      const { nextAt } = await host.routines.get("morning", OPERATOR);
      expect(nextAt).toBe(MONDAY + 10 * MINUTE);
      host.routines.close();
      clock.advance(3 * MINUTE);
    }
  });
});
