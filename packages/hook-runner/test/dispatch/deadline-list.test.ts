import { describe, expect, it } from "vitest";
import { createFixture, DEADLINE_MS, hang, settle } from "../support/fixture.js";
import { runSource, SOURCE } from "../support/source-process.js";

/** Time from its start until a hung handler of an observe hook is abandoned, on an idle loop. */
async function expiresAfter(timeoutMs: number, delayMs = 0): Promise<number> {
  const { runner, clock } = createFixture();
  if (delayMs > 0) {
    // Another member keeps the timer running, so that this deadline is armed between two ticks.
    runner.register({
      name: "audited",
      owner: "x",
      source: "x",
      timeoutMs: 600_000,
      handler: hang,
    });
    void runner.observe("audited", { id: "0" }, {}).catch(() => {});
    clock.advance(delayMs);
  }
  runner.register({ name: "seen", owner: "a", source: "a", timeoutMs, handler: hang });
  const start = clock.now();
  let end: number | undefined;
  void runner.observe("seen", { id: "1" }, {}).then(() => {
    end = clock.now();
  });
  while (end === undefined) {
    clock.advance(1);
    await settle();
  }
  return end - start;
}

describe("handler deadlines", () => {
  it("[HOOK-022] never fire early and at most 40 ms late, whenever they are armed", async () => {
    for (const timeoutMs of [100, 101, 115, 250]) {
      for (const delayMs of [0, 1, 7, 14, 15, 29]) {
        const late = (await expiresAfter(timeoutMs, delayMs)) - timeoutMs;
        expect(late).toBeGreaterThanOrEqual(0);
        expect(late).toBeLessThanOrEqual(40);
      }
    }
  });

  it("[HOOK-022] do not fire while the event loop is blocked: a stall delays them by two ticks at most", async () => {
    const { runner, clock } = createFixture();
    let done = false;
    runner.register({
      name: "send",
      owner: "a",
      source: "a",
      timeoutMs: 400,
      handler: () =>
        new Promise<{ content: string }>((resolve) =>
          clock.setTimeout(() => resolve({ content: "x" }), 120),
        ),
    });
    const result = Promise.resolve(runner.decide("send", { content: "" }, {})).then((value) => {
      done = true;
      return value;
    });
    clock.stall(800);
    await settle();
    expect(done).toBe(true);
    expect(await result).toEqual({ content: "x" });

    const { runner: hung, clock: stalled } = createFixture();
    hung.register({ name: "seen", owner: "a", source: "a", timeoutMs: 400, handler: hang });
    let over = false;
    void hung.observe("seen", { id: "1" }, {}).then(() => {
      over = true;
    });
    stalled.stall(5_000);
    await settle();
    expect(over).toBe(false);
    for (let tick = 0; tick < 30; tick += 1) stalled.advance(15);
    await settle();
    expect(over).toBe(true);
  });

  it("[HOOK-022] are not lengthened by a drifting timer", async () => {
    const { runner, clock } = createFixture();
    runner.register({ name: "seen", owner: "a", source: "a", timeoutMs: 15_000, handler: hang });
    let end: number | undefined;
    void runner.observe("seen", { id: "1" }, {}).then(() => {
      end = clock.now();
    });
    // Every tick is a millisecond late, as real timers are.
    while (end === undefined) {
      clock.stall(16);
      await settle();
    }
    expect(end).toBeGreaterThanOrEqual(15_000);
    expect(end).toBeLessThanOrEqual(15_040);
  });

  it("[HOOK-022] share one timer, which stops within five ticks after the last one", async () => {
    const { runner, clock } = createFixture();
    expect(clock.activeTimers).toBe(0);
    let release = () => {};
    runner.register({
      name: "seen",
      owner: "a",
      source: "a",
      handler: () => new Promise<void>((resolve) => (release = resolve)),
    });
    const dispatches = Array.from({ length: 50 }, () => {
      const dispatch = runner.observe("seen", { id: "1" }, {});
      release();
      return dispatch;
    });
    expect(clock.activeTimers).toBe(1);
    await Promise.all(dispatches);
    clock.advance(4 * 15);
    expect(clock.activeTimers).toBe(1);
    clock.advance(15);
    expect(clock.activeTimers).toBe(0);

    const again = runner.observe("seen", { id: "2" }, {});
    expect(clock.activeTimers).toBe(1);
    release();
    await again;
  });

  it("[HOOK-015] start no timer for a dispatch without a pending handler", async () => {
    const { runner, clock } = createFixture();
    runner.register({ name: "send", owner: "a", source: "a", handler: () => ({ content: "x" }) });
    await runner.decide("send", { content: "" }, {});
    await runner.observe("seen", { id: "1" }, {});
    expect(clock.activeTimers).toBe(0);
  });

  it("[HOOK-022] keep the process alive on the real clock until they expire, and no longer", async () => {
    const { status, stdout, stderr } = await runSource(`
      import { createHookRunner } from ${JSON.stringify(SOURCE)};
      const runner = createHookRunner(
        { seen: { kind: "observe", deadlineMs: 150, failure: "open" } },
        { onDiagnostic() {} },
      );
      runner.register({
        name: "seen",
        owner: "a",
        source: "a",
        handler: () => new Promise(() => {}),
      });
      const start = performance.now();
      await runner.observe("seen", {}, {});
      console.log(performance.now() - start);
    `);
    expect(stderr).toBe("");
    expect(status).toBe(0);
    expect(Number(stdout)).toBeGreaterThanOrEqual(150);
  });

  it("[HOOK-020] take the operator's setting for the hook, then for the owner, then the option, then the default", async () => {
    const { runner, clock } = createFixture();
    const effective = () => {
      const [handler] = runner.explain("seen").handlers;
      return handler?.runs === true ? [handler.deadlineMs, handler.deadlineFrom] : undefined;
    };
    const unregister = runner.register({ name: "seen", owner: "p", source: "p", handler: hang });
    expect(effective()).toEqual([DEADLINE_MS, "definition"]);
    unregister();
    runner.register({ name: "seen", owner: "p", source: "p", handler: hang, timeoutMs: 700 });
    expect(effective()).toEqual([700, "registration"]);
    runner.owner("p", { timeoutMs: 500 });
    expect(effective()).toEqual([500, "operator-owner"]);
    runner.owner("p", { timeouts: { seen: 150, check: 9 } });
    expect(effective()).toEqual([150, "operator-hook"]);

    let over = false;
    void runner.observe("seen", { id: "1" }, {}).then(() => {
      over = true;
    });
    clock.advance(149);
    await settle();
    expect(over).toBe(false);
    clock.advance(41);
    await settle();
    expect(over).toBe(true);

    runner.owner("p", { timeouts: undefined, timeoutMs: undefined });
    expect(effective()).toEqual([700, "registration"]);
  });

  it("[HOOK-020] skip an operator's value out of range, name key and value, and use the next level", () => {
    const { runner, diagnostics } = createFixture();
    runner.register({ name: "seen", owner: "p", source: "p", handler: hang, timeoutMs: 700 });
    runner.owner("p", { timeoutMs: 0, timeouts: { seen: 600_001, check: 20 } });
    expect(runner.explain("seen").handlers).toMatchObject([
      { deadlineMs: 700, deadlineFrom: "registration" },
    ]);
    expect(diagnostics.map(({ code, owner, message }) => [code, owner, message])).toEqual([
      ["invalid-operator-timeout", "p", expect.stringContaining("timeoutMs must be an integer")],
      [
        "invalid-operator-timeout",
        "p",
        expect.stringContaining(
          "timeouts.seen must be an integer from 1 to 600000 (ms), got 600001",
        ),
      ],
    ]);
  });

  it("may end another dispatch that is due in the same tick", async () => {
    const { runner, clock } = createFixture();
    const caller = new AbortController();
    runner.register({
      name: "seen",
      owner: "a",
      source: "a",
      handler: (_event, { signal }) => {
        signal.addEventListener("abort", () => caller.abort("both"));
        return hang();
      },
    });
    runner.register({ name: "audited", owner: "b", source: "b", handler: hang });
    const first = runner.observe("seen", { id: "1" }, {});
    const second = runner.observe("audited", { id: "1" }, {}, { signal: caller.signal });
    const outcome = expect(second).rejects.toMatchObject({ code: "HOOK_ABORTED" });
    clock.advance(DEADLINE_MS + 30);
    await first;
    await outcome;
  });

  it("do not count the time of a later handler against an earlier one", async () => {
    const { runner, clock } = createFixture();
    runner.register({
      name: "send",
      owner: "a",
      source: "a",
      handler: async () => ({ content: "a" }),
    });
    runner.register({
      name: "send",
      owner: "b",
      source: "b",
      handler: () => {
        clock.advance(2 * DEADLINE_MS);
        return { content: "b" };
      },
    });
    expect(await runner.decide("send", { content: "" }, {})).toEqual({ content: "b" });
    expect(runner.counters().hooks.send.failed).toEqual({});
  });
});
