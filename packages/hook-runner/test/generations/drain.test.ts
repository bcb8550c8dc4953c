import { describe, expect, it } from "vitest";
import { HookUsageError } from "../../src/index.js";
import { advance, createFixture, hang, settle } from "../support/fixture.js";

const event = { toolName: "x", params: {} };

describe("drain", () => {
  it("[HOOK-042] resolves at once when nothing is in flight, without a timer", async () => {
    const { runner, clock } = createFixture();
    runner.register({ name: "seen", owner: "a", source: "a", handler: () => {} });
    expect(await runner.drain("a", 1_000)).toEqual({ drained: true, pendingCalls: [] });
    expect(clock.activeTimers).toBe(0);
  });

  it("[HOOK-042] resolves when no dispatch in flight holds a handler of the owner any more", async () => {
    const { runner, clock } = createFixture();
    const releases: (() => void)[] = [];
    const waits = () => new Promise<void>((resolve) => releases.push(resolve));
    runner.register({ name: "check", owner: "other", source: "o", handler: waits });
    runner.register({ name: "check", owner: "a", source: "a", handler: waits });
    runner.register({ name: "check", owner: "last", source: "l", handler: waits });
    const dispatch = runner.decide("check", event, {});
    let report: unknown;
    const drain = runner.drain("a", 900).then((value) => {
      report = value;
    });
    await advance(clock, 30);
    expect(report).toBeUndefined();
    releases[0]?.();
    await advance(clock, 30);
    expect(report).toBeUndefined();
    releases[1]?.();
    await advance(clock, 30);
    await drain;
    expect(report).toEqual({ drained: true, pendingCalls: [] });
    releases[2]?.();
    await dispatch;
  });

  it("[HOOK-042] at the deadline lists the pending calls, whose signals then abort", async () => {
    const { runner, clock } = createFixture();
    const reasons: unknown[] = [];
    const hung = (_event: unknown, { signal }: { signal: AbortSignal }) => {
      signal.addEventListener("abort", () => reasons.push(signal.reason));
      return hang();
    };
    runner.register({ name: "check", owner: "a", source: "a", id: "running", handler: hung });
    runner.register({ name: "check", owner: "a", source: "a", id: "queued", handler: () => {} });
    runner.register({ name: "seen", owner: "a", source: "a", id: "observer", handler: hung });
    runner.register({ name: "seen", owner: "b", source: "b", id: "foreign", handler: hung });
    runner.register({
      name: "send",
      owner: "a",
      source: "a",
      id: "limited",
      maxConcurrency: 1,
      handler: hung,
    });
    void runner.decide("check", event, {});
    void runner.observe("seen", { id: "1" }, {});
    void runner.decide("send", { content: "" }, {});
    const drain = runner.drain("a", 300);
    await advance(clock, 345);
    const report = await drain;
    expect(report.drained).toBe(false);
    expect(
      report.pendingCalls.map(({ registration, state }) => [registration.id, state]).sort(),
    ).toEqual([
      ["limited", "running"],
      ["observer", "running"],
      ["queued", "queued"],
      ["running", "running"],
    ]);
    expect(reasons).toHaveLength(3);
    for (const reason of reasons) {
      expect(reason).toMatchObject({
        code: "HOOK_ABORTED",
        pluginId: "a",
        cause: { message: expect.stringContaining("300 ms to finish") },
      });
    }
    await settle();
  });

  it("aborts the attempt signal of a running observer with a concurrency limit", async () => {
    const { runner, clock } = createFixture();
    let aborted = false;
    runner.register({
      name: "seen",
      owner: "a",
      source: "a",
      maxConcurrency: 1,
      handler: (_event, { signal }) => {
        signal.addEventListener("abort", () => {
          aborted = true;
        });
        return hang();
      },
    });
    void runner.observe("seen", { id: "1" }, {});
    void runner.observe("seen", { id: "2" }, {});
    const drain = runner.drain("a", 0);
    await advance(clock, 30);
    expect((await drain).pendingCalls).toHaveLength(2);
    expect(aborted).toBe(true);
  });

  it("waits only for handlers that new dispatches no longer see, when asked", async () => {
    const { runner, clock } = createFixture();
    const releases: (() => void)[] = [];
    const waits = () => new Promise<void>((resolve) => releases.push(resolve));
    const old = runner.register({ name: "check", owner: "a", source: "a", handler: waits });
    void runner.decide("check", event, {});
    runner.transaction(
      () => {
        old();
        runner.register({ name: "check", owner: "a", source: "a", handler: hang });
      },
      { generation: "next" },
    );
    void runner.decide("check", event, {});
    let report: unknown;
    const drain = runner.drain("a", 500, { retired: true }).then((value) => {
      report = value;
    });
    await advance(clock, 30);
    expect(report).toBeUndefined();
    releases[0]?.();
    await advance(clock, 30);
    await drain;
    expect(report).toEqual({ drained: true, pendingCalls: [] });
  });

  it("does not wait for a handler that drains its own owner", async () => {
    const { runner, clock } = createFixture();
    let report: unknown;
    runner.register({ name: "check", owner: "first", source: "f", handler: async () => {} });
    runner.register({
      name: "check",
      owner: "a",
      source: "a",
      handler: async () => {
        report = await runner.drain("nobody", 100);
      },
    });
    await runner.decide("check", event, {});
    expect(report).toEqual({ drained: true, pendingCalls: [] });
    clock.advance(100);
  });

  it("rejects an invalid deadline", async () => {
    const { runner } = createFixture();
    for (const deadlineMs of [-1, Number.NaN, Number.POSITIVE_INFINITY, "5" as never]) {
      await expect(runner.drain("a", deadlineMs)).rejects.toThrow(HookUsageError);
    }
  });
});
