import { describe, expect, it } from "vitest";
import { Latency } from "../../src/observe/latency.js";
import { createFixture, settle } from "../support/fixture.js";

describe("counters", () => {
  it("[HOOK-050] are readable at any time, per hook and per registration", async () => {
    const { runner } = createFixture();
    let release = () => {};
    runner.register({
      name: "seen",
      owner: "good",
      source: "g",
      id: "good",
      handler: async () => {},
    });
    runner.register({
      name: "seen",
      owner: "bad",
      source: "b",
      id: "bad",
      handler: () => {
        throw new Error("boom");
      },
    });
    runner.register({
      name: "seen",
      owner: "off",
      source: "o",
      id: "off",
      handler: () => {},
      condition: () => false,
    });
    runner.register({
      name: "audited",
      owner: "slow",
      source: "s",
      id: "slow",
      handler: () => new Promise<void>((resolve) => (release = resolve)),
    });
    for (let count = 0; count < 20; count += 1) await runner.observe("seen", { id: "1" }, {});
    const inFlight = runner.observe("audited", { id: "1" }, {});
    await runner.decide("send", { content: "" }, {});

    const { hooks, registrations } = runner.counters();
    expect(hooks.seen).toMatchObject({
      dispatched: 20,
      ok: 20,
      skipped: 20,
      failed: { HOOK_THREW: 20 },
      late: 0,
      handlers: 3,
    });
    expect(hooks.audited).toMatchObject({ dispatched: 1, ok: 0, handlers: 1 });
    expect(hooks.send).toMatchObject({ dispatched: 1, ok: 1, handlers: 0 });
    // Has a handler but never fired, which a doctor would report.
    runner.register({ name: "stamp", owner: "idle", source: "i", handler: () => {} });
    const unfired = Object.entries(runner.counters().hooks)
      .filter(([, { handlers, dispatched }]) => handlers > 0 && dispatched === 0)
      .map(([name]) => name);
    expect(unfired).toEqual(["stamp"]);
    const byId = Object.fromEntries(registrations.map((each) => [each.registrationId, each]));
    expect(byId.good).toMatchObject({
      owner: "good",
      hook: "seen",
      dispatched: 20,
      ok: 20,
      failed: {},
    });
    expect(byId.bad).toMatchObject({ dispatched: 20, ok: 0, failed: { HOOK_THREW: 20 } });
    expect(byId.off).toMatchObject({ dispatched: 0, ok: 0, skipped: 20 });
    expect(byId.slow).toMatchObject({ dispatched: 1, ok: 0 });
    release();
    await inFlight;
    await settle();
    expect(runner.counters().hooks.audited.ok).toBe(1);
    expect(
      runner.counters().registrations.find(({ registrationId }) => registrationId === "slow"),
    ).toMatchObject({ ok: 1 });
  });

  it("[HOOK-050] do not count a handler before its turn", async () => {
    const { runner } = createFixture();
    let release = () => {};
    const wait = () => new Promise<void>((resolve) => (release = resolve));
    runner.register({ name: "send", owner: "first", source: "f", handler: wait });
    runner.register({ name: "send", owner: "second", source: "s", handler: () => {} });
    const inFlight = runner.decide("send", { content: "" }, {});
    const counts = () =>
      runner.counters().registrations.map(({ dispatched, ok }) => [dispatched, ok]);
    expect(counts()).toEqual([
      [1, 0],
      [0, 0],
    ]);
    release();
    await inFlight;
    expect(counts()).toEqual([
      [1, 1],
      [1, 1],
    ]);
  });

  it("[HOOK-050] keep a latency histogram of timed dispatches: the first ones of a list, then a sample", async () => {
    const { runner, clock } = createFixture();
    runner.register({
      name: "stamp",
      owner: "a",
      source: "a",
      handler: () => clock.stall(2),
    } as never);
    for (let count = 0; count < 8_300; count += 1) runner.sync("stamp", { line: "" }, {});
    const { hooks, registrations } = runner.counters();
    expect(hooks.stamp.latency).toEqual({
      samples: 10,
      p50Ms: 2,
      p99Ms: 2,
      maxMs: 2,
      buckets: [{ upToMs: 2.048, count: 10 }],
    });
    expect(registrations[0]?.latency.samples).toBe(10);
    expect(hooks.seen.latency).toEqual({ samples: 0, p50Ms: 0, p99Ms: 0, maxMs: 0, buckets: [] });
  });

  it("report quantiles as upper bounds within a factor of two", () => {
    const latency = new Latency();
    for (let ms = 1; ms <= 100; ms += 1) latency.add(ms);
    const { samples, p50Ms, p99Ms, maxMs } = latency.histogram();
    expect([samples, maxMs]).toEqual([100, 100]);
    expect(p50Ms).toBeGreaterThanOrEqual(50);
    expect(p50Ms).toBeLessThanOrEqual(100);
    expect(p99Ms).toBeGreaterThanOrEqual(99);
    expect(p99Ms).toBeLessThanOrEqual(100);
    const tiny = new Latency();
    tiny.add(0);
    tiny.add(600_000);
    expect(tiny.histogram().buckets).toHaveLength(2);
  });

  it("[UI-024] name the fields that the results of each registration changed", async () => {
    const { runner } = createFixture();
    const rewrite = (owner: string, result: object) =>
      runner.register({ name: "build", owner, source: owner, id: owner, handler: () => result });
    rewrite("text", { text: "new", note: "not a field of the event" });
    rewrite("limits", { limits: { steps: 2, tokens: 5 } });
    rewrite("same", { text: "new", tags: [], limits: { tokens: 5 } });
    rewrite("again", { text: "newest", limits: { steps: 3 } });
    const event = { text: "old", tags: [], limits: { steps: 1, tokens: 4 } };
    await runner.rewrite("build", event, {});
    await runner.rewrite("build", event, {});
    const rewrote = runner.counters().registrations.map((each) => [each.owner, each.rewrote]);
    expect(Object.fromEntries(rewrote)).toEqual({
      text: ["text"],
      limits: ["limits.steps", "limits.tokens"],
      same: [],
      again: ["text", "limits.steps"],
    });
  });

  it("[UI-024] keep a bounded number of changed fields", async () => {
    const { runner } = createFixture();
    runner.register({
      ...{ name: "check", owner: "model", source: "m" },
      handler: ({ params }) => ({ params: { [`p${params.count}`]: true } }),
    });
    for (let count = 0; count < 150; count += 1) {
      await runner.decide("check", { toolName: "exec", params: { count } }, {});
    }
    expect(runner.counters().registrations[0]?.rewrote).toHaveLength(100);
  });
});
