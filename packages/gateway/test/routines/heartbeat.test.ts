import { createManualClock } from "@openclaw/foundation";
import { describe, expect, it } from "vitest";
import { historyOf, say } from "../jobs/support/only-job.js";
import { eventually } from "../support/eventually.js";
import {
  createTestHost,
  gate,
  openTestStore,
  SESSION,
  type TestHostOptions,
} from "../support/host.js";
import { ended, HOUR, MINUTE, MONDAY } from "./support/routine.js";

const TASK = "# Tasks\n\n- [ ] tell me when the build is broken\n";

async function beating({
  heartbeat,
  heartbeatFile = () => TASK,
  ...options
}: TestHostOptions = {}) {
  const clock = createManualClock(MONDAY);
  const host = await createTestHost({
    ...{ now: () => clock.now(), timers: clock, heartbeatFile },
    heartbeat: { enabled: true, ...heartbeat },
    ...options,
  });
  await host.routines.recover();
  const state = await host.routines.heartbeat.state();
  return { clock, host, routineId: state?.routine.routineId ?? "" };
}

describe("the heartbeat", () => {
  it("[JOB-034] is off by default, and then no routine of the host exists", async () => {
    const clock = createManualClock(MONDAY);
    const host = await createTestHost({ now: () => clock.now(), timers: clock });
    await host.routines.recover();
    clock.advance(24 * HOUR);
    expect(await host.store.routines.list({ limit: 9 })).toEqual([]);
    expect(host.asked()).toEqual([]);
  });

  it("[JOB-034] [JOB-036] runs every 1800 s, tells the operator what it found, and is silent after HEARTBEAT_OK", async () => {
    const replies = ["The build is broken.", "Fine. HEARTBEAT_OK"];
    const { clock, host, routineId } = await beating({
      script: ({ prompt }) =>
        JSON.stringify(prompt).includes("tell me when the build")
          ? { text: replies.shift() ?? "HEARTBEAT_OK" }
          : { text: "hello" },
    });
    await say(host, "good morning");
    clock.advance(30 * MINUTE);
    expect(await ended(host.store, routineId, 1)).toMatchObject([
      { state: "attention", answer: "The build is broken.", delivery: { state: "delivered" } },
    ]);
    expect(await historyOf(host.store)).toEqual([
      "user: good morning",
      "assistant: hello",
      "assistant: The build is broken.",
    ]);
    clock.advance(30 * MINUTE);
    expect(await ended(host.store, routineId, 2)).toMatchObject([
      {},
      { state: "ok", delivery: { state: "not-requested" } },
    ]);
    expect(await historyOf(host.store)).toHaveLength(3);
  });

  it("[JOB-035] calls no model when HEARTBEAT.md is effectively empty", async () => {
    const files = [
      undefined,
      "",
      "# Heartbeat\n\n## Later\n",
      "<!-- check the mail -->\n- [ ]\n* \n1. \n",
      "\n- [x]\n-\n<!-- not closed\ncheck the mail",
    ];
    const wanted = files.length;
    const { clock, host, routineId } = await beating({ heartbeatFile: () => files.shift() });
    for (let count = 1; count <= wanted; count += 1) {
      clock.advance(30 * MINUTE);
      const runs = await ended(host.store, routineId, count);
      expect(runs.at(-1)).toMatchObject({
        state: "skipped",
        reason: expect.stringContaining("HEARTBEAT.md"),
      });
    }
    expect(host.asked()).toEqual([]);
  });

  it("[JOB-034] rests in its quiet hours, in their zone", async () => {
    const { clock, host, routineId } = await beating({
      script: () => ({ text: "HEARTBEAT_OK" }),
      // 07:00 to 09:00 in UTC.
      heartbeat: { quietHours: { from: "08:00", to: "10:00" }, timezone: "Europe/Berlin" },
    });
    await say(host, "hello");
    for (let count = 1; count <= 5; count += 1) {
      clock.advance(30 * MINUTE);
      await ended(host.store, routineId, count);
    }
    const runs = await ended(host.store, routineId, 5);
    expect(runs.map(({ state }) => state)).toEqual([
      "skipped",
      "skipped",
      "skipped",
      "skipped",
      "ok",
    ]);
    expect(runs[0]?.reason).toBe("quiet hours: 08:00 to 10:00 Europe/Berlin");
  });

  it("[JOB-037] is disabled after three failures, which the operator is told and no configured user", async () => {
    const sent: string[] = [];
    const { clock, host, routineId } = await beating({
      script: ({ prompt }) =>
        JSON.stringify(prompt).includes("tell me when") ? { text: " " } : { text: "hello" },
      heartbeat: { channel: "talk", to: "user" },
      findSurface: ({ channel, to }) =>
        channel === "talk"
          ? {
              async send({ text = "" }) {
                sent.push(`${to}: ${text}`);
                return {};
              },
            }
          : undefined,
    });
    await say(host, "hello");
    for (let count = 1; count <= 3; count += 1) {
      clock.advance(30 * MINUTE);
      await ended(host.store, routineId, count);
    }
    const state = await host.routines.heartbeat.state();
    expect(state?.routine).toMatchObject({
      enabled: false,
      disabledReason: "It failed 3 times in a row",
    });
    expect(sent).toEqual([]);
    expect((await historyOf(host.store)).at(-1)).toMatch(
      /^assistant: The heartbeat is disabled\. It failed 3 times in a row; .*gave no text/,
    );
    clock.advance(HOUR);
    expect(await ended(host.store, routineId, 3)).toHaveLength(3);
    await say(host, "/heartbeat");
    expect((await host.routines.heartbeat.state())?.routine.enabled).toBe(true);
  });

  it.each<[string, NonNullable<TestHostOptions["heartbeat"]>, readonly string[]]>([
    ["the configured conversation only", { channel: "talk", to: "team" }, ["talk team"]],
    [
      "a conversation of the operator on each channel, and to nobody else",
      {},
      ["mail operator", "talk operator"],
    ],
  ])("[JOB-036] tells %s what it found", async (_, heartbeat, expected) => {
    const sent: string[] = [];
    const { clock, host, routineId } = await beating({
      script: ({ prompt }) => ({
        text: JSON.stringify(prompt).includes("tell me when") ? "The build is broken." : "hello",
      }),
      heartbeat,
      findSurface: ({ channel, to }) => ({
        async send({ text = "" }) {
          if (text.includes("build")) sent.push(`${channel} ${to}`);
          return {};
        },
      }),
    });
    for (const [channel, sender] of [
      ["talk", "operator"],
      ["talk", "guest"],
      ["mail", "operator"],
    ] as const) {
      const from = { channel, conversationId: sender, senderId: sender };
      const senderIsOwner = sender === "operator";
      await say(host, "hello", { ...from, senderIsOwner, sessionKey: `agent:main:${channel}` });
      clock.advance(1000);
    }
    clock.advance(30 * MINUTE);
    expect(await ended(host.store, routineId, 1)).toMatchObject([
      { state: "attention", delivery: { state: "delivered" } },
    ]);
    expect(sent.toSorted()).toEqual(expected);
  });

  it("[JOB-490] waits while the conversation of the operator is busy, and stops after 7 days without people", async () => {
    const open = gate();
    const { clock, host, routineId } = await beating({
      script: ({ prompt }) =>
        JSON.stringify(prompt).includes("tell me when")
          ? { text: "HEARTBEAT_OK" }
          : { text: "hello", waitFor: open.passed },
    });
    const talking = say(host, "good morning");
    await eventually(async () => (host.asked().length === 1 ? true : undefined));
    clock.advance(30 * MINUTE);
    expect(await ended(host.store, routineId, 1)).toMatchObject([
      { state: "skipped", reason: `the conversation ${SESSION} is busy` },
    ]);
    open.pass();
    await talking;
    clock.advance(7 * 24 * HOUR + MINUTE);
    const runs = await ended(host.store, routineId, 2);
    expect(runs.at(-1)).toMatchObject({ state: expect.stringMatching(/skipped|missed/) });
    clock.advance(HOUR);
    const later = await eventually(async () => {
      const [last] = await host.store.routines.runs.of({ routineId, limit: 1 });
      return last?.state === "skipped" ? last : undefined;
    });
    expect(later.reason).toMatch(/^no person has written for 7 days/);
  });

  it("[SUB-019] runs at once by /heartbeat, without regard to quiet hours, and says how it ended", async () => {
    const { host } = await beating({
      heartbeat: { enabled: false, quietHours: { from: "00:00", to: "23:59" } },
      script: () => ({ text: "The build is broken." }),
    });
    expect(await say(host, "/heartbeat")).toBe("The build is broken.");
    expect((await host.routines.heartbeat.state())?.routine).toMatchObject({ enabled: false });
  });

  it("[JOB-037] asks with temperature 0.3 and half of the context, and without earlier heartbeats", async () => {
    const calls: unknown[] = [];
    const { clock, host, routineId } = await beating({
      script({ prompt, temperature, maxOutputTokens }) {
        const messages = prompt.filter(({ role }) => role !== "system").length;
        calls.push({ temperature, maxOutputTokens, messages });
        return { text: "HEARTBEAT_OK" };
      },
    });
    clock.advance(30 * MINUTE);
    await ended(host.store, routineId, 1);
    clock.advance(30 * MINUTE);
    await ended(host.store, routineId, 2);
    const expected = { temperature: 0.3, maxOutputTokens: 50_000, messages: 1 };
    expect(calls).toEqual([expected, expected]);
  });

  it("[TURN-020] asks plugins for context in heartbeat turns only", async () => {
    const { clock, host, routineId } = await beating({
      script: () => ({ text: "HEARTBEAT_OK" }),
      register(api) {
        api.on("heartbeat_prompt_contribution", () => ({ appendContext: "Overdue: invoice 17." }));
      },
    });
    await say(host, "hello");
    await host.routines.add({
      ...{ name: "tea", prompt: "make tea", agentId: "main", at: "in 20 minutes" },
      creator: {
        channel: "terminal",
        conversationId: "main",
        senderId: "owner",
        senderIsOwner: true,
      },
    });
    clock.advance(30 * MINUTE);
    await ended(host.store, routineId, 1);
    const contributed = host.asked().filter((prompt) => prompt.includes("invoice 17"));
    expect(contributed).toEqual([expect.stringContaining("tell me when the build is broken")]);
    expect(host.asked()).toHaveLength(3);
  });

  it("[JOB-491] is a routine that users cannot change or take the name of, and it keeps what failures disabled over a restart", async () => {
    const store = await openTestStore();
    const { host, routineId } = await beating({ store, script: () => ({ text: "HEARTBEAT_OK" }) });
    const operator = { isOperator: true, owner: "" };
    await expect(host.routines.remove("heartbeat", operator)).rejects.toThrow("openclaw heartbeat");
    await expect(host.routines.update("heartbeat", operator, { prompt: "else" })).rejects.toThrow(
      "openclaw heartbeat",
    );
    expect(await say(host, "/cron add heartbeat every 5m: beat")).toContain("choose another name");
    const disabledReason = "It failed 3 times in a row";
    await store.routines.change(routineId, { enabled: false, disabledReason });
    host.routines.close();
    const next = await beating({ store });
    expect((await next.host.routines.heartbeat.state())?.routine.enabled).toBe(false);
    const changed = await beating({ store, heartbeat: { intervalSeconds: 600 } });
    expect((await changed.host.routines.heartbeat.state())?.routine.enabled).toBe(true);
  });
});
