import { describe, expect, it } from "vitest";
import type { SpendingCall, SpendingFilter, SpendingLimit, Store } from "../../src/index.js";
import { affordable, openTestStore, START, storeDatabase } from "../support/open-store.js";

const CENT = 10_000_000_000n;
const MINUTE_MS = 60_000;

function call(callId: string, changes: Partial<SpendingCall> = {}): SpendingCall {
  return {
    callId,
    runId: "run",
    sessionKey: "session",
    sessionId: "incarnation",
    agentId: "main",
    provider: "openai",
    model: "gpt-5",
    ...changes,
  };
}

function cost(maximum: bigint, since?: number): SpendingLimit {
  return { unit: "cost", scope: { kind: "host" }, maximum, since };
}

function reserve(
  store: Store,
  made: SpendingCall,
  limits: readonly SpendingLimit[],
  estimate = CENT,
) {
  const reservation = { estimate, expiresInMs: MINUTE_MS, limits: () => limits };
  return store.spending.reserve(made, reservation);
}

async function record(store: Store, made: SpendingCall, amount: bigint): Promise<void> {
  const usage = { input: 5, output: 2, cacheRead: 3, cacheWrite: 1, reasoning: 1, total: 7 };
  await store.spending.record(made, { usage, cost: amount, isEstimated: false });
}

describe("spending", () => {
  it("[LLM-030] sums the recorded calls by agent, session, model, job and time", async () => {
    let now = START;
    const store = await openTestStore({ now: () => now });
    await record(store, call("one"), 3n);
    now += 3_600_000;
    const other = { sessionKey: "other", sessionId: "second", model: "gpt-5-mini", jobId: "job" };
    await record(store, call("two", other), 4n);
    await store.spending.record(call("three", { agentId: "second" }), {
      usage: { input: 1 },
      cost: 5n,
      isEstimated: true,
    });
    const by = async (groupBy: "agent" | "session" | "model" | "job" | "quarter") =>
      (await store.spending.sums({ from: START, to: now + 1, groupBy })).map((sum) => [
        sum.key,
        sum.calls,
        sum.cost,
        sum.estimatedCalls,
      ]);
    expect(await by("agent")).toEqual([
      ["main", 2, 7n, 0],
      ["second", 1, 5n, 1],
    ]);
    expect(await by("session")).toEqual([
      ["other", 1, 4n, 0],
      ["session", 2, 8n, 1],
    ]);
    expect(await by("model")).toEqual([
      ["openai/gpt-5", 2, 8n, 1],
      ["openai/gpt-5-mini", 1, 4n, 0],
    ]);
    expect(await by("job")).toEqual([
      ["", 2, 8n, 1],
      ["job", 1, 4n, 0],
    ]);
    const quarter = START - (START % 900_000);
    expect(await by("quarter")).toEqual([
      [String(quarter), 1, 3n, 0],
      [String(quarter + 3_600_000), 2, 9n, 1],
    ]);
    const [first] = await store.spending.sums({ from: START, to: now, groupBy: "model" });
    expect(first).toMatchObject({ input: 5, output: 2, cacheRead: 3, cacheWrite: 1 });
  });

  it("[LLM-030] [GW-570] sums the calls that have given values, and each quarter of an hour of a group", async () => {
    let now = START;
    const store = await openTestStore({ now: () => now });
    await record(store, call("one"), 3n);
    now += 3_600_000;
    await record(store, call("two", { agentId: "second", jobId: "job" }), 4n);
    await record(store, call("three", { model: "gpt-5-mini", sessionKey: undefined }), 5n);
    const period = { from: START, to: now + 1 };
    const costs = async (filter: SpendingFilter) =>
      (await store.spending.sums({ ...period, filter, groupBy: "model" })).map(
        ({ cost: sum }) => sum,
      );
    expect(await costs({ agent: "main" })).toEqual([3n, 5n]);
    expect(await costs({ agent: "main", model: "openai/gpt-5" })).toEqual([3n]);
    expect(await costs({ job: "" })).toEqual([3n, 5n]);
    expect(await costs({ session: "" })).toEqual([5n]);
    expect(await costs({ sender: "" })).toEqual([7n, 5n]);
    expect(await costs({ sender: "telegram:4711" })).toEqual([]);
    const quarter = START - (START % 900_000);
    const split = await store.spending.sums({ ...period, groupBy: "agent", byQuarter: true });
    expect(split.map((sum) => [sum.key, Number(sum.quarter), sum.cost])).toEqual([
      ["main", quarter, 3n],
      ["main", quarter + 3_600_000, 5n],
      ["second", quarter + 3_600_000, 4n],
    ]);
    expect(await store.spending.fitting(["one", "two", "none"], { agent: "main" })).toEqual(
      new Set(["one"]),
    );
  });

  it("[LLM-030] adds up 10,000 costs exactly, beyond the exact range of a number", async () => {
    const store = await openTestStore();
    const calls = affordable(10_000);
    const amount = 800_000_000_000_001n;
    await store.transaction(async (unit) => {
      for (let at = 0; at < calls; at += 1) await record(unit, call(`call ${at}`), amount);
    });
    const [sum] = await store.spending.sums({ from: 0, to: START * 2, groupBy: "agent" });
    expect(sum?.cost).toBe(amount * BigInt(calls));
    const lifetime = { unit: "cost", scope: { kind: "agent", id: "main" }, maximum: 1n } as const;
    expect(await store.spending.spent(() => [lifetime])).toMatchObject([
      { used: amount * BigInt(calls) },
    ]);
  });

  it("[LLM-031] two hosts on one database never reserve more than a limit together", async () => {
    const place = storeDatabase();
    const hosts = [await openTestStore(place), await openTestStore(place)];
    const limits = [cost(10n * CENT, 0)];
    const tries = Array.from({ length: 40 }, (_, at) => {
      const store = hosts[at % 2];
      if (store === undefined) throw new Error("no host");
      return reserve(store, call(`call ${at}`), limits);
    });
    const outcomes = await Promise.all(tries);
    expect(outcomes.filter(({ exceeded }) => exceeded === undefined)).toHaveLength(10);
    for (const store of hosts) {
      expect(await store.spending.spent(() => limits)).toMatchObject([{ used: 10n * CENT }]);
    }
  });

  it("[LLM-031] replaces the reservation of a call by what it cost", async () => {
    const store = await openTestStore();
    const limits = [cost(2n * CENT, 0)];
    expect(await reserve(store, call("one"), limits, 2n * CENT)).not.toHaveProperty("exceeded");
    expect(await reserve(store, call("two"), limits)).toMatchObject({
      exceeded: { used: 2n * CENT },
    });
    await record(store, call("one"), 1n);
    expect(await store.spending.spent(() => limits)).toMatchObject([{ used: 1n }]);
    expect(await reserve(store, call("two"), limits)).not.toHaveProperty("exceeded");
    await store.spending.release("two");
    expect(await store.spending.spent(() => limits)).toMatchObject([{ used: 1n }]);
    // A settled call is not released.
    await store.spending.release("one");
    expect(await store.spending.spent(() => limits)).toMatchObject([{ used: 1n }]);
  });

  it("[LLM-031] releases the reservation of a process that was killed when it expires", async () => {
    let now = START;
    const store = await openTestStore({ now: () => now });
    const limits = [cost(CENT, 0)];
    await reserve(store, call("one"), limits);
    now += MINUTE_MS - 1;
    expect(await reserve(store, call("two"), limits)).toHaveProperty("exceeded");
    now += 1;
    expect(await reserve(store, call("two"), limits)).not.toHaveProperty("exceeded");
    // The call was slow, not dead: what it cost counts all the same.
    await record(store, call("one"), CENT);
    expect(await store.spending.spent(() => limits)).toMatchObject([{ used: 2n * CENT }]);
  });

  it("[LLM-031] counts calls of a period and names the one whose leaving allows the next", async () => {
    let now = START;
    const store = await openTestStore({ now: () => now });
    const limit = (): SpendingLimit => ({
      unit: "calls",
      scope: { kind: "host" },
      since: now - MINUTE_MS,
      maximum: 2,
    });
    for (const id of ["one", "two"]) {
      expect(await reserve(store, call(id), [limit()])).not.toHaveProperty("exceeded");
      now += 1000;
    }
    expect(await reserve(store, call("three"), [limit()])).toMatchObject({
      exceeded: { used: 2, freedBy: START },
    });
    now = START + MINUTE_MS + 1;
    expect(await reserve(store, call("three"), [limit()])).not.toHaveProperty("exceeded");
  });

  it("[LLM-032] checks the limits of agent, session and job, of which the tightest decides", async () => {
    const store = await openTestStore();
    await record(store, call("one", { jobId: "job" }), 3n * CENT);
    await record(store, call("two", { sessionId: "other" }), CENT);
    const limits: readonly SpendingLimit[] = [
      { unit: "cost", scope: { kind: "agent", id: "main" }, maximum: 10n * CENT },
      { unit: "cost", scope: { kind: "session", id: "incarnation" }, maximum: 4n * CENT },
      { unit: "cost", scope: { kind: "job", id: "job" }, maximum: 4n * CENT },
    ];
    expect(await store.spending.spent(() => limits)).toMatchObject([
      { used: 4n * CENT },
      { used: 3n * CENT },
      { used: 3n * CENT },
    ]);
    const made = call("three", { jobId: "job" });
    expect(await reserve(store, made, limits, 2n * CENT)).toMatchObject({
      exceeded: { limit: { scope: { kind: "session" } } },
    });
    expect(await reserve(store, made, limits, CENT)).not.toHaveProperty("exceeded");
    // The reservation counts for its agent, session and job.
    expect(await store.spending.spent(() => limits)).toMatchObject([
      { used: 5n * CENT },
      { used: 4n * CENT },
      { used: 4n * CENT },
    ]);
  });

  it("[LLM-030] keeps calls for 400 days", async () => {
    let now = START;
    const store = await openTestStore({ now: () => now });
    await record(store, call("one"), 1n);
    now += 400 * 24 * 60 * MINUTE_MS;
    expect(await store.retention.sweep()).toMatchObject({ modelCall: 0 });
    now += 1;
    expect(await store.retention.sweep()).toMatchObject({ modelCall: 1 });
  });

  it("rejects a cost that a row cannot hold exactly", async () => {
    const store = await openTestStore();
    await expect(record(store, call("one"), 2n ** 53n)).rejects.toThrow("check the prices");
  });
});
