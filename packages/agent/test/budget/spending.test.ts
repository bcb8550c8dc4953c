import { ModelTable } from "@openclaw/models";
import { describe, expect, it } from "vitest";
import { BudgetWarnings, type TurnBudgets } from "../../src/index.js";
import { calling, expectAnswered, NOW, textOf, tool, turnHost } from "../support/turn-host.js";

/** A tenth of a cent per token of input, nothing for output, so that estimates are easy to compute. */
const PRICE = { input: "1000", output: "0", cacheRead: "100" };
const modelTable = new ModelTable({ "scripted/script": { price: PRICE, maxOutputTokens: 10 } });
const usage = { input: 400, output: 7 };

type Host = Awaited<ReturnType<typeof turnHost>>;

async function sums({ store }: Host) {
  return await store.spending.sums({ from: 0, to: NOW * 2, groupBy: "model" });
}

/** A host whose model costs 40 cents a call. */
function paidHost(budgets: TurnBudgets, options: Parameters<typeof turnHost>[0] = {}) {
  return turnHost({ script: () => ({ text: "ok", usage }), modelTable, budgets, ...options });
}

describe("cost of a call", () => {
  it("[LLM-004] [LLM-030] is part of its usage and stored with run, session, agent and model", async () => {
    const host = await turnHost({
      script: [{ text: "one", usage: { input: 400, output: 7, cacheRead: 100 } }],
      modelTable,
    });
    const cost = { usd: "0.31", estimated: false };
    expect(await host.run()).toMatchObject({ usage: { input: 400, output: 7, cost } });
    expect((await host.transcript()).at(-1)).toMatchObject({ usage: { cacheRead: 100, cost } });
    for (const groupBy of ["agent", "session", "model"] as const) {
      const key = { agent: "main", session: "agent:main:main", model: "scripted/script" }[groupBy];
      expect(await host.store.spending.sums({ from: 0, to: NOW * 2, groupBy })).toMatchObject([
        { key, calls: 1, input: 400, cacheRead: 100, cost: 310_000_000_000n, estimatedCalls: 0 },
      ]);
    }
  });

  it("[LLM-004] is summed over the calls of a turn without drift", async () => {
    const host = await turnHost({
      script: [
        { text: "one", usage: { input: 1, output: 0 }, ...calling("work") },
        { text: "two", usage: { input: 2, output: 0 } },
      ],
      coreTools: [tool("work")],
      modelTable: new ModelTable({ "scripted/script": { price: { input: "0.1", output: "1" } } }),
    });
    expect(await host.run()).toMatchObject({ usage: { cost: { usd: "0.0000003" } } });
  });

  it("is estimated when the provider reports no usage", async () => {
    const host = await turnHost({ script: [{ text: "a reply of five words" }], modelTable });
    const outcome = await host.run();
    expect(outcome).toMatchObject({ usage: { cost: { estimated: true } } });
    expect(await sums(host)).toMatchObject([{ calls: 1, input: 0, estimatedCalls: 1 }]);
  });

  it("counts what had arrived of a reply that failed", async () => {
    const script = [{ text: "this is cut off", breakAfter: 2 }];
    const host = await turnHost({ script, modelTable });
    expect(await host.run()).toMatchObject({ status: "failed" });
    expect(await sums(host)).toMatchObject([{ calls: 1, estimatedCalls: 1 }]);
    expect((await sums(host))[0]?.cost).toBeGreaterThan(0n);
  });
});

describe("budget of cost", () => {
  it.each([
    ["session", { session: { maxCostUsd: 0.5 } }, "this session", "session.budget.maxCostUsd"],
    ["agent", { agent: { maxCostUsd: 0.5 } }, "this agent", "agents.defaults.budget.maxCostUsd"],
    ["day", { host: { maxCostPerDayCents: 50 } }, "today", "MAX_COST_PER_DAY_CENTS"],
    ["month", { host: { maxCostPerMonthCents: 50 } }, "this month", "maxCostPerMonthCents"],
  ] as const)(
    "[TURN-029] [LLM-031] [LLM-032] of the %s ends the turn between two tool calls, and nothing is lost",
    async (_name, budgets, subject, setting) => {
      const host = await paidHost(budgets, {
        script: [
          { text: "looking", usage, ...calling("work") },
          { text: "again", usage, ...calling("work") },
        ],
        coreTools: [tool("work")],
      });
      const outcome = await host.run();
      expect(outcome).toMatchObject({
        status: "completed",
        stopReason: "budget",
        text: expect.stringMatching(/^looking\n\nI stopped because the model budget of /),
        usage: { cost: { usd: "0.4" } },
      });
      const notice = textOf((await host.transcript()).at(-1));
      expect(notice).toContain(`the model budget of ${subject}`);
      expect(notice).toContain("$0.40 of $0.50 are used or reserved");
      expect(notice).toContain(setting);
      expect(host.requests).toHaveLength(1);
      await expectAnswered(host);
    },
  );

  it("[LLM-031] ends the turn with the time at which the day ends in its zone", async () => {
    // NOW is 2023-11-14 22:13 UTC, which is the day after in Tokyo.
    const host = await paidHost({ host: { maxCostPerDayCents: 1, timeZone: "Asia/Tokyo" } });
    const text = expect.stringContaining("It starts again at 2023-11-16 00:00 Asia/Tokyo.");
    expect(await host.run()).toMatchObject({ stopReason: "budget", text });
    const utc = await paidHost({ host: { maxCostPerDayCents: 1 } });
    const midnight = expect.stringContaining("It starts again at 2023-11-15 00:00 UTC.");
    expect(await utc.run()).toMatchObject({ text: midnight });
    expect(utc.requests).toHaveLength(0);
  });

  it("[LLM-031] of calls in an hour names the time of the next call", async () => {
    const host = await paidHost({ host: { maxActionsPerHour: 2 } });
    await host.run();
    await host.run();
    expect(await host.run()).toMatchObject({
      stopReason: "budget",
      text: expect.stringContaining(
        "the limit of 2 model calls in an hour is reached. The next call is possible at 2023-11-14 23:13 UTC.",
      ),
    });
    expect(host.requests).toHaveLength(2);
  });

  it("[LLM-032] is that of the tightest of several", async () => {
    const host = await paidHost({
      session: { maxCostUsd: 9 },
      agent: { maxCostUsd: 0.5 },
      host: { maxCostPerDayCents: 900 },
    });
    await host.run();
    expect(await host.run()).toMatchObject({ text: expect.stringContaining("of this agent") });
  });

  it("[LLM-031] warns once at 80 %", async () => {
    const budgetWarnings = new BudgetWarnings();
    const host = await paidHost({ host: { maxCostPerDayCents: 135 } }, { budgetWarnings });
    const warned = () => host.lines.filter(({ fields }) => fields.code === "BUDGET_NEARLY_USED");
    await host.run();
    await host.run();
    expect(warned()).toHaveLength(0);
    await host.run();
    await host.run();
    expect(warned()).toMatchObject([
      { level: "warn", message: expect.stringMatching(/80% of the model budget of today/) },
    ]);
  });

  it("keeps no reservation of a call that failed before its reply", async () => {
    const budgets = { host: { maxCostPerDayCents: 50 } };
    const failing = { error: { status: 400, message: "no" } };
    const host = await paidHost(budgets, { script: [failing, { text: "ok", usage }] });
    expect(await host.run()).toMatchObject({ status: "failed" });
    const limit = { unit: "cost", scope: { kind: "host" }, since: 0, maximum: 1n } as const;
    expect(await host.store.spending.spent(() => [limit])).toMatchObject([{ used: 0n }]);
    expect(await host.run()).toMatchObject({ stopReason: "stop" });
  });

  it("is not checked for a model that costs nothing", async () => {
    const host = await turnHost({
      script: () => ({ text: "ok", usage }),
      budgets: { host: { maxCostPerDayCents: 1 } },
    });
    await host.run();
    expect(await host.run()).toMatchObject({ stopReason: "stop", usage: { cost: { usd: "0" } } });
  });
});
