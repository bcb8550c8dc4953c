import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { picoUsd, shownUsd } from "../../src/cost/amount.js";
import { costTracker } from "../../src/cost/guard.js";
import { spendingOn } from "../../src/cost/spending.js";
import { DayCalendar } from "../../src/day.js";
import { DATABASE } from "../../src/migrations.js";
import { installGuard, temporaryStore } from "../support/installed-guard.js";
import { GUEST_CONTEXT } from "../support/open-host.js";

const NOON = Date.UTC(2026, 10, 23, 12);
const usage = (usd: string, total = 100) => ({ usage: { total, cost: { usd, estimated: false } } });

describe("amounts", () => {
  it("[DHOOK-042] add up without rounding", () => {
    const amount = fc.bigInt({ min: 0n, max: 10n ** 18n });
    fc.assert(
      fc.property(fc.array(amount, { maxLength: 20 }), (picos) => {
        const written = picos.map(
          (pico) => `${pico / 10n ** 12n}.${String(pico % 10n ** 12n).padStart(12, "0")}`,
        );
        const sum = written.reduce((total, usd) => total + picoUsd(usd), 0n);
        expect(sum).toBe(picos.reduce((total, pico) => total + pico, 0n));
      }),
    );
    expect(picoUsd("0.0000000000001")).toBe(1n);
    expect(() => picoUsd("1e3")).toThrow(RangeError);
    expect([0n, 1_234_000_000_000n, 45_000_000n].map(shownUsd)).toEqual([
      "$0.00",
      "$1.23",
      "$0.000045",
    ]);
  });
});

describe("days", () => {
  it.each([
    ["Europe/Lisbon", Date.UTC(2026, 9, 24, 23, 30), Date.UTC(2026, 9, 26, 0)],
    ["America/New_York", Date.UTC(2026, 2, 8, 6), Date.UTC(2026, 2, 9, 4)],
    ["UTC", NOON, Date.UTC(2026, 10, 24)],
  ])("[DHOOK-042] end at midnight of %s, also when the clocks change", (timeZone, at, end) => {
    expect(new DayCalendar(timeZone).nextDay(at)).toBe(end);
  });
});

describe("cost_tracker", () => {
  it("[DHOOK-042] warns once at 80 % and blocks new turns over the budget with the reset time", async () => {
    const clock = { now: NOON };
    const guard = await installGuard(costTracker, { timeZone: "UTC" }, clock);
    const run = () => guard.fire("before_agent_run", { prompt: "hi", messages: [] }, GUEST_CONTEXT);
    await guard.fire("llm_output", usage("7.9"), GUEST_CONTEXT);
    expect(await run()).toBeUndefined();
    expect(guard.logs).toEqual([]);
    await guard.fire("llm_output", usage("0.2"), GUEST_CONTEXT);
    await guard.fire("llm_output", usage("0.2"), GUEST_CONTEXT);
    expect(guard.logs.map(({ message }) => message)).toEqual([
      "cost_tracker: 81 % of the budget of today ($8.10 of $10.00)",
    ]);
    expect(guard.notices).toMatchObject([
      { event: "budget", severity: "warning", senderId: "guest-1" },
    ]);
    expect(guard.emitted).toMatchObject([["budget", { scope: "day", share: 0.81 }]]);
    expect(await run()).toBeUndefined();
    await guard.fire("llm_output", usage("1.7"), GUEST_CONTEXT);
    expect(await run()).toMatchObject({
      outcome: "block",
      category: "budget",
      message:
        "The budget of today ($10.00 of $10.00) is used up. It resets at midnight in UTC (2026-11-24T00:00Z), in 12 h 0 min.",
    });
    clock.now = Date.UTC(2026, 10, 24);
    expect(await run()).toBeUndefined();
    expect(guard.counts).toMatchObject({ blocked: 1, failed: 0 });
  });

  it("[DHOOK-042] adds up per session, sender and day, in money and tokens, over a restart", async () => {
    const clock = { now: NOON, store: await temporaryStore() };
    const settings = { timeZone: "UTC", senderDayUsd: 1, sessionTokens: 500 };
    const before = await installGuard(costTracker, settings, clock);
    const other = { ...GUEST_CONTEXT, senderId: "guest-2", sessionId: "session-2" };
    await before.fire("llm_output", usage("0.6", 450), GUEST_CONTEXT);
    await before.fire("llm_output", usage("0.5", 20), { ...GUEST_CONTEXT, sessionId: "session-3" });
    await before.fire("llm_output", { usage: { input: 300, output: 200 } }, other);
    await before.dispose();
    const after = await installGuard(costTracker, settings, clock);
    const gate = async (context: object) =>
      (await after.fire("before_agent_run", { prompt: "hi", messages: [] }, context))?.message;
    expect(await gate(GUEST_CONTEXT)).toMatch(
      /^The budget of this sender for today \(\$1\.10 of \$1\.00\)/,
    );
    expect(await gate(other)).toBe(
      "The budget of this session (500 of 500 tokens) is used up. A new session has a new budget: /new starts one.",
    );
    expect(await gate({ ...other, sessionId: "session-4" })).toBeUndefined();
    const database = await clock.store.database(DATABASE);
    expect(await spendingOn(database, "2026-11-23")).toMatchObject([
      { scope: "day", tokens: 970, picoUsd: 1_100_000_000_000n, estimated: 1 },
      { scope: "sender", name: "telegram:guest-1", tokens: 470 },
      { scope: "sender", name: "telegram:guest-2", tokens: 500 },
    ]);
  });

  it("never lets a turn begin once the sum has reached the budget, whatever the calls cost", async () => {
    const call = fc.record({
      cents: fc.integer({ min: 0, max: 60 }),
      tokens: fc.integer({ min: 0, max: 50 }),
    });
    const runtime = (await installGuard(costTracker)).runtime;
    await fc.assert(
      fc.asyncProperty(fc.array(call, { maxLength: 12 }), async (calls) => {
        const guard = await installGuard(
          costTracker,
          { dayUsd: 2, dayTokens: 200 },
          { now: NOON, runtime },
        );
        let [cents, tokens] = [0, 0];
        for (const each of calls) {
          const verdict = await guard.fire(
            "before_agent_run",
            { prompt: "hi", messages: [] },
            GUEST_CONTEXT,
          );
          expect(verdict?.outcome === "block").toBe(cents >= 200 || tokens >= 200);
          await guard.fire(
            "llm_output",
            usage(String(each.cents / 100), each.tokens),
            GUEST_CONTEXT,
          );
          cents += each.cents;
          tokens += each.tokens;
        }
      }),
      { numRuns: 15 },
    );
  });

  it("blocks turns while the sums cannot be read, and keeps costs that cannot be stored", async () => {
    const store = await temporaryStore();
    let isBroken = true;
    const flaky = {
      ...store,
      kv: store.kv,
      database: (options: Parameters<typeof store.database>[0]) =>
        isBroken ? Promise.reject(new Error("disk full")) : store.database(options),
    };
    const guard = await installGuard(costTracker, { dayUsd: 1 }, { now: NOON, store: flaky });
    await guard.fire("llm_output", usage("2"), GUEST_CONTEXT);
    await guard.flush();
    expect(guard.logs.map(({ message }) => message)).toEqual([
      "cost_tracker: budgets could not be checked: disk full",
      "cost_tracker: costs could not be stored and are kept in memory: disk full",
    ]);
    const run = () => guard.fire("before_agent_run", { prompt: "hi", messages: [] }, GUEST_CONTEXT);
    await expect(run()).rejects.toThrow("disk full");
    isBroken = false;
    expect(await run()).toMatchObject({ outcome: "block" });
  });

  it("rejects an unknown time zone", async () => {
    await expect(installGuard(costTracker, { timeZone: "Mars/Base" })).rejects.toThrow(
      'timeZone is "Mars/Base", which is not a time zone; for example Europe/Lisbon',
    );
  });
});
