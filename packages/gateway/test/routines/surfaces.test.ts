import { createManualClock } from "@openclaw/foundation";
import type { HookMap } from "@openclaw/plugin-sdk/hooks";
import { describe, expect, it } from "vitest";
import { historyOf, say } from "../jobs/support/only-job.js";
import { eventually } from "../support/eventually.js";
import { createTestHost, SESSION } from "../support/host.js";
import { addRoutine, ended, MINUTE, MONDAY, OPERATOR } from "./support/routine.js";

function timedHost(options: Parameters<typeof createTestHost>[0] = {}) {
  const clock = createManualClock(MONDAY);
  const host = createTestHost({ now: () => clock.now(), timers: clock, ...options });
  return host.then((each) => ({ clock, host: each }));
}

describe("/cron", () => {
  it("[JOB-948] answers in plain words with the next times, and the run arrives in the conversation", async () => {
    const { clock, host } = await timedHost();
    await host.routines.recover();
    const answer = await say(
      host,
      "/cron add morning cron 0 7 * * 1-5 tz Europe/Vienna: what is in my inbox?",
    );
    expect(answer).toMatch(
      /^Routine "morning" is stored: Every weekday at 07:00 Europe\/Vienna, next Tue 2026-12-01 07:00\n/,
    );
    expect(answer).toContain("  Tue 2026-12-01 07:00   2026-12-01T06:00:00.000Z\n");
    expect(answer).toContain("/cron run morning runs it once now.");
    await say(host, "/cron add tea at in 20 minutes: remind me of the tea");
    expect(await say(host, "/cron")).toMatch(/^morning: .*\ntea: Once, Mon 2026-11-30 07:10 UTC, /);
    clock.advance(20 * MINUTE);
    const { routine } = await host.routines.get("tea", OPERATOR);
    await ended(host.store, routine.routineId, 1);
    expect(await historyOf(host.store)).toEqual(["assistant: ok"]);
    expect(await say(host, "/cron why tea")).toMatch(
      /Last: Mon 2026-11-30 07:10 {2}due: attention, delivered\.\nNext: never; /,
    );
  });

  it("[JOB-519] skips due times in quiet hours, and why names them and the first time after them", async () => {
    const { clock, host } = await timedHost({ routines: { timezone: "Europe/Vienna" } });
    await host.routines.recover();
    // 06:00 to 08:00 in UTC.
    const hours = { quiet: "07:00-09:00", tz: "Europe/Vienna" };
    const { routineId } = await addRoutine(host, { every: "30m", ...hours });
    await addRoutine(host, { name: "never", ...hours, cron: "0 8 * * *" });
    expect((await say(host, "/cron why morning")).split("\n").at(-1)).toBe(
      "That is in its quiet hours, 07:00 to 09:00 Europe/Vienna, and is skipped; it runs Mon 2026-11-30 09:20.",
    );
    expect(await say(host, "/cron why never")).toContain("; no later one is outside of them.");
    for (const count of [1, 2, 3]) {
      clock.advance(30 * MINUTE);
      await ended(host.store, routineId, count);
    }
    const runs = await ended(host.store, routineId, 3);
    expect(runs.map(({ state }) => state)).toEqual(["skipped", "skipped", "attention"]);
    expect(runs[0]?.reason).toBe("quiet hours: 07:00 to 09:00 Europe/Vienna");
    expect(await say(host, "/cron why morning")).not.toContain("That is in its quiet hours");
  });

  it("[GW-550] lists past due times of a period with their status, and the next ones", async () => {
    const { clock, host } = await timedHost();
    await host.routines.recover();
    const hours = { quiet: "08:00-09:00", tz: "UTC" };
    const { routineId } = await addRoutine(host, { every: "30m", ...hours });
    await addRoutine(host, { name: "off", every: "10m" });
    await host.routines.update("off", OPERATOR, { enabled: false });
    clock.advance(30 * MINUTE);
    await ended(host.store, routineId, 1);
    const from = MONDAY;
    const agenda = await host.routines.agenda(OPERATOR, { from, to: from + 121 * MINUTE });
    const [first, second, third] = agenda.entries;
    expect(agenda.entries).toHaveLength(4);
    expect(agenda.isCut).toBe(false);
    expect(first).toMatchObject({ name: "morning", run: { state: "attention" } });
    expect(second?.run).toBeUndefined();
    expect(third?.quietHours).toBe("08:00 to 09:00");
    const year = await host.routines.agenda(OPERATOR, { from, to: from + 365 * 1440 * MINUTE });
    expect([year.entries.length, year.isCut]).toEqual([1000, true]);
  });

  it("[JOB-025] have the zone of routines.timezone, and without it that of the machine", async () => {
    const { host } = await timedHost({ routines: { timezone: "Asia/Kathmandu" } });
    expect(await say(host, "/cron add tea at tomorrow 9:00: make tea")).toContain("Asia/Kathmandu");
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    const ofMachine = (await timedHost({ routines: {} })).host;
    expect(await say(ofMachine, "/cron add tea at tomorrow 9:00: make tea")).toContain(timeZone);
  });

  it("[JOB-948] changes, runs and removes a routine", async () => {
    const { host } = await timedHost();
    await host.routines.recover();
    await say(host, "/cron add build every 30m: check the build");
    expect(await say(host, "/cron edit build every 1h")).toContain("is changed: Every hour, next");
    expect(await say(host, "/cron show build")).toContain("Task: check the build");
    expect(await say(host, "/cron disable build")).toContain("is disabled: Every hour, disabled");
    expect(await say(host, "/cron run build")).toBe('Routine "build" runs now.');
    const { routine } = await host.routines.get("build", OPERATOR);
    await ended(host.store, routine.routineId, 1);
    expect(await say(host, "/cron runs build")).toMatch(
      /started by a person: attention, delivered$/,
    );
    expect(await say(host, "/cron enable build")).toContain("is enabled: Every hour, next");
    expect(await say(host, "/cron rm build")).toBe('Routine "build" is removed.');
    expect(await say(host, "/cron show build")).toMatch(/^routine "build" not found; /);
  });

  it("[JOB-948] says what is wrong, and how it is written", async () => {
    const { host } = await timedHost();
    expect(await say(host, "/cron add x cron 0 0 31 2 *: never")).toMatch(
      /^cron: .*never comes due/,
    );
    expect(await say(host, "/cron add x tomorrow 9:00")).toMatch(
      /^Nothing was stored\.\n\/cron add/,
    );
    expect(await say(host, "/cron add X every 1h: a")).toMatch(/its name "X" is not 1 to 64/);
    await say(host, "/cron add x every 1h: a");
    expect(await say(host, "/cron add x every 1h: a")).toMatch(/a routine "x" exists; /);
    expect(await say(host, "/cron frobnicate")).toMatch(/^\/cron add <name> <when>: <task>/);
  });
});

describe("the tools of routines", () => {
  it("[JOB-047] create, list, change and remove the routines of the sender", async () => {
    const calls = [
      ["routine_create", { name: "a", trigger_type: "cron", prompt: "look", schedule: "every 2h" }],
      ["routine_update", { name: "a", schedule: "0 9 * * *", timezone: "Europe/Berlin" }],
      ["routine_list", {}],
      ["routine_history", { name: "a" }],
      ["routine_create", { name: "b", trigger_type: "cron", prompt: "x", schedule: "0 0 31 2 *" }],
      ["routine_delete", { name: "a" }],
    ] as const;
    const results: string[] = [];
    const { host } = await timedHost({
      hasRoutineTools: true,
      script({ prompt }) {
        const last = prompt.at(-1);
        if (last?.role === "tool") results.push(JSON.stringify(last.content));
        const next = calls[results.length];
        if (next === undefined) return { text: "done" };
        const [toolName, params] = next;
        return { toolCalls: [{ toolCallId: `call ${results.length}`, toolName, params }] };
      },
      servicesNow: (services) => ({ ...services, maxIterations: 10 }),
    });
    expect(await say(host, "go")).toBe("done");
    expect(results[0]).toContain("Every 2 hours");
    expect(results[1]).toContain("Every day at 09:00 Europe/Berlin");
    expect(results[2]).toContain(SESSION);
    expect(results[4]).toContain("never comes due");
    expect(results[4]).toContain("cron: ");
    expect(await host.routines.list(OPERATOR)).toEqual([]);
  });

  it("[JOB-949] show a sender no routines of another one", async () => {
    const { host } = await timedHost();
    await addRoutine(host);
    const guest = { isOperator: false, owner: "guest" };
    expect(await host.routines.list(guest)).toEqual([]);
    await expect(host.routines.remove("morning", guest)).rejects.toThrow("not found");
  });
});

describe("the routines of one user", () => {
  it("[JOB-047] are at most routines.maxPerUser", async () => {
    const { host } = await timedHost({ routines: { maxPerUser: 2 } });
    const user = { channel: "test", conversationId: "a", senderId: "ann", senderIsOwner: false };
    await addRoutine(host, { name: "a", creator: user });
    await addRoutine(host, { name: "b", creator: user });
    const third = addRoutine(host, { name: "c", creator: user });
    await expect(third).rejects.toThrow("2");
    await addRoutine(host, { name: "c", creator: { ...user, senderId: "bert" } });
    await host.routines.remove("a", OPERATOR);
    await addRoutine(host, { name: "d", creator: user });
  });
});

describe("plugins", () => {
  it("[GW-011] observe the six changes of a routine, with its state and the delivery", async () => {
    const seen: { readonly action: string; readonly name: string; readonly delivery: string }[] =
      [];
    const names: string[] = [];
    const { clock, host } = await timedHost({
      register(api) {
        api.on("cron_changed", async ({ action, job, deliveryStatus = "" }, { getCron }) => {
          seen.push({ action, name: job?.name ?? "", delivery: deliveryStatus });
          for (const each of (await getCron?.().list()) ?? []) names.push(each.name);
        });
      },
    });
    await host.routines.recover();
    const { routineId } = await addRoutine(host);
    clock.advance(10 * MINUTE);
    await ended(host.store, routineId, 1);
    await host.routines.update("morning", OPERATOR, { prompt: "look again" });
    await host.routines.remove("morning", OPERATOR);
    const actions = seen.map(({ action }) => action);
    expect(new Set(actions)).toEqual(
      new Set(["added", "scheduled", "started", "finished", "updated", "removed"]),
    );
    expect(seen.every(({ name }) => name === "morning")).toBe(true);
    expect(seen.find(({ action }) => action === "finished")).toMatchObject({
      delivery: "delivered",
    });
    expect(names).toContain("morning");
  });

  it("[GW-011] are given the snapshot of the routine and the status of the delivery", async () => {
    const seen: HookMap["cron_changed"]["event"][] = [];
    let text = "Two letters.";
    const { clock, host } = await timedHost({
      register(api) {
        api.on("cron_changed", (event) => void seen.push(event));
      },
      script() {
        if (text === "") throw new Error("the provider is down");
        return { text };
      },
    });
    await host.routines.recover();
    const { routineId } = await addRoutine(host, { every: "10m" });
    for (const [count, next] of ["ROUTINE_OK", "", "end"].entries()) {
      clock.advance(10 * MINUTE);
      await ended(host.store, routineId, count + 1);
      text = next;
    }
    await host.routines.remove("morning", OPERATOR);
    await eventually(async () =>
      seen.some((event) => event.action === "removed") ? true : undefined,
    );
    const job = { id: routineId, name: "morning", schedule: expect.anything() };
    const at = (minutes: number) => MONDAY + minutes * MINUTE;
    expect(seen.filter(({ action }) => action === "finished")).toMatchObject([
      {
        ...{ status: "ok", deliveryStatus: "delivered", delivered: true, summary: "Two letters." },
        job: { ...job, state: { nextRunAtMs: at(20), lastRunStatus: "ok" } },
      },
      {
        ...{ status: "ok", deliveryStatus: "not-requested" },
        job: { ...job, state: { nextRunAtMs: at(30), lastRunStatus: "ok" } },
      },
      {
        ...{ status: "error", deliveryStatus: "delivered", error: expect.any(String) },
        job: {
          ...job,
          state: { nextRunAtMs: at(40), lastRunStatus: "error", lastError: expect.any(String) },
        },
      },
    ]);
    expect(seen.at(-1)).toMatchObject({
      action: "removed",
      jobId: routineId,
      job: { ...job, state: { lastRunStatus: "error" } },
    });
  });
});
