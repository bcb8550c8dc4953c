import { describe, expect, it } from "vitest";
import { advance, createFixture, DEADLINE_MS, hang, settle } from "../support/fixture.js";

const event = { content: "" };

describe("retry", () => {
  it.each([
    [
      "throws",
      () => {
        throw new Error("once");
      },
    ],
    [
      "throws what is no error",
      () => {
        throw "text";
      },
    ],
    ["rejects", () => Promise.reject(new Error("once"))],
    [
      "returns a getter that throws",
      () => ({
        get content(): string {
          throw new Error("once");
        },
      }),
    ],
  ])("[HOOK-024] repeats a handler that %s", async (_what, fail) => {
    const { runner } = createFixture();
    let calls = 0;
    runner.register({
      name: "send",
      owner: "a",
      source: "a",
      retry: { count: 2 },
      handler: () => {
        calls += 1;
        return calls < 3 ? fail() : { content: `attempt ${calls}` };
      },
    });
    expect(await runner.decide("send", event, {})).toEqual({ content: "attempt 3" });
    expect(runner.counters().hooks.send.failed).toEqual({});
  });

  it("[HOOK-024] fails with the last error after the last attempt", async () => {
    const { runner } = createFixture();
    let calls = 0;
    runner.register({
      name: "check",
      owner: "a",
      source: "a",
      retry: { count: 5 },
      handler: async () => {
        calls += 1;
        throw new Error(`attempt ${calls}`);
      },
    });
    expect(await runner.detailed("check", { toolName: "x", params: {} }, {})).toMatchObject({
      outcome: "denied",
      failure: { code: "HOOK_THREW", attempts: 6, cause: { message: "attempt 6" } },
    });
  });

  it("[HOOK-024] waits backoffMs × 2^attempt between attempts, all under one deadline", async () => {
    const { runner, clock } = createFixture();
    const at: number[] = [];
    runner.register({
      name: "send",
      owner: "a",
      source: "a",
      retry: { count: 5, backoffMs: 100 },
      handler: () => {
        at.push(clock.now());
        throw new Error("again");
      },
    });
    const result = runner.detailed("send", event, {});
    await advance(clock, DEADLINE_MS + 60);
    await result;
    expect(at).toHaveLength(4);
    for (const [index, expected] of [0, 100, 300, 700].entries()) {
      expect(at[index]).toBeGreaterThanOrEqual(expected);
      expect(at[index]).toBeLessThanOrEqual(expected + 60);
    }
    expect(runner.counters().hooks.send).toMatchObject({ failed: { HOOK_TIMEOUT: 1 }, late: 0 });
    await advance(clock, 2_000);
    expect(at).toHaveLength(4);
    expect(clock.activeTimers).toBe(0);
  });

  it("[HOOK-024] does not repeat malformed results, terminal results or timeouts", async () => {
    const { runner, clock } = createFixture();
    let calls = 0;
    const add = (name: "send" | "check", handler: () => unknown) =>
      runner.register({
        name,
        owner: "a",
        source: "a",
        retry: { count: 3 },
        handler: () => {
          calls += 1;
          return handler() as never;
        },
      });
    const check = { toolName: "x", params: {} };
    const malformed = add("check", () => 5);
    expect(await runner.detailed("check", check, {})).toMatchObject({ outcome: "denied" });
    malformed();
    add("check", () => ({ block: true }));
    expect(await runner.detailed("check", check, {})).toMatchObject({ outcome: "terminal" });
    add("send", hang);
    const result = runner.detailed("send", event, {});
    await advance(clock, DEADLINE_MS + 60);
    expect((await result).outcome).toBe("completed");
    expect(calls).toBe(3);
  });

  it("[HOOK-024] gives every attempt its own event and stops after an abort", async () => {
    const { runner, clock } = createFixture();
    const caller = new AbortController();
    const seen: unknown[] = [];
    const signals: AbortSignal[] = [];
    runner.register({
      name: "check",
      owner: "a",
      source: "a",
      retry: { count: 5, backoffMs: 100 },
      handler: (given, { signal }) => {
        seen.push({ ...given.params });
        signals.push(signal);
        given.params.touched = true;
        throw new Error("again");
      },
    });
    const result = Promise.resolve(
      runner.decide("check", { toolName: "x", params: { n: 1 } }, {}, { signal: caller.signal }),
    );
    const outcome = expect(result).rejects.toMatchObject({ code: "HOOK_ABORTED", attempts: 2 });
    await advance(clock, 150);
    caller.abort();
    await outcome;
    await advance(clock, 2_000);
    expect(seen).toEqual([{ n: 1 }, { n: 1 }]);
    expect(new Set(signals).size).toBe(2);
  });

  it("retries observers too", async () => {
    const { runner } = createFixture();
    let calls = 0;
    runner.register({
      name: "seen",
      owner: "a",
      source: "a",
      retry: { count: 1 },
      handler: () => {
        calls += 1;
        if (calls === 1) throw new Error("once");
      },
    });
    await runner.observe("seen", { id: "1" }, {});
    expect(calls).toBe(2);
    expect(runner.counters().hooks.seen.failed).toEqual({});
  });
});

describe("maxConcurrency", () => {
  function limited(limit: number, options: object = {}) {
    const fixture = createFixture();
    const running: { id: string; finish: (error?: Error) => void; signal: AbortSignal }[] = [];
    const order: string[] = [];
    fixture.runner.register({
      name: "seen",
      owner: "a",
      source: "a",
      maxConcurrency: limit,
      ...options,
      handler: ({ id }, { signal }) => {
        order.push(id);
        return new Promise<void>((resolve, reject) =>
          running.push({ id, signal, finish: (error) => (error ? reject(error) : resolve()) }),
        );
      },
    });
    const observe = (id: string, dispatchOptions = {}) =>
      fixture.runner.observe("seen", { id }, {}, dispatchOptions);
    return { ...fixture, running, order, observe };
  }

  it("[HOOK-025] limits calls in flight across dispatches and admits the rest in order of arrival", async () => {
    const { running, order, observe } = limited(2);
    const dispatches = ["1", "2", "3", "4"].map((id) => observe(id));
    expect(order).toEqual(["1", "2"]);
    running[1]?.finish();
    await settle();
    expect(order).toEqual(["1", "2", "3"]);
    running[0]?.finish(new Error("a failure frees the slot as well"));
    await settle();
    expect(order).toEqual(["1", "2", "3", "4"]);
    running[2]?.finish();
    running[3]?.finish();
    await Promise.all(dispatches);
    const last = observe("5");
    expect(order.at(-1)).toBe("5");
    running[4]?.finish();
    await last;
  });

  it("[HOOK-025] counts the queue wait against the deadline", async () => {
    const { clock, order, observe, runner } = limited(1);
    void observe("1");
    await advance(clock, 300);
    const second = observe("2");
    await advance(clock, 600);
    expect(order).toEqual(["1"]);
    await advance(clock, 500);
    await second;
    expect(order).toEqual(["1"]);
    expect(runner.counters().hooks.seen.failed).toEqual({ HOOK_TIMEOUT: 2 });
  });

  it("[HOOK-025] holds a slot until the handler settles, even after its timeout", async () => {
    const { clock, order, observe, running } = limited(1);
    const first = observe("1");
    await advance(clock, 500);
    const second = observe("2");
    await advance(clock, 530);
    await first;
    expect(order).toEqual(["1"]);
    running[0]?.finish();
    await settle();
    expect(order).toEqual(["1", "2"]);
    running[1]?.finish();
    await second;
  });

  it("[HOOK-026] fails further calls at once as saturated when every slot is past its deadline", async () => {
    const { clock, observe, running, runner, order } = limited(2, { mode: "fail-closed" });
    const overdue = [observe("1"), observe("2")].map((dispatch) => dispatch.catch(() => {}));
    await advance(clock, DEADLINE_MS + 30);
    await Promise.all(overdue);
    await expect(observe("3")).rejects.toMatchObject({ code: "HOOK_SATURATED", attempts: 0 });
    running[0]?.finish();
    await settle();
    const fourth = observe("4");
    expect(order).toEqual(["1", "2", "4"]);
    running[2]?.finish();
    await fourth;
    expect(runner.counters().registrations[0]).toMatchObject({
      dispatched: 4,
      ok: 1,
      failed: { HOOK_TIMEOUT: 2, HOOK_SATURATED: 1 },
    });
  });

  it("[HOOK-026] fails the handler under its mode in a sequential dispatch", async () => {
    const { runner, clock } = createFixture();
    runner.register({ name: "check", owner: "a", source: "a", maxConcurrency: 1, handler: hang });
    const event = { toolName: "x", params: {} };
    const first = runner.detailed("check", event, {});
    await advance(clock, DEADLINE_MS + 30);
    expect(await first).toMatchObject({ failure: { code: "HOOK_TIMEOUT" } });
    expect(await runner.detailed("check", event, {})).toMatchObject({
      outcome: "denied",
      failure: { code: "HOOK_SATURATED" },
    });
  });

  it("removes an aborted dispatch from the queue", async () => {
    const { observe, order, running } = limited(1);
    const caller = new AbortController();
    const first = observe("1");
    const second = observe("2", { signal: caller.signal });
    const third = observe("3");
    caller.abort();
    await expect(second).rejects.toMatchObject({ code: "HOOK_ABORTED", attempts: 0 });
    running[0]?.finish();
    await settle();
    expect(order).toEqual(["1", "3"]);
    running[1]?.finish();
    await Promise.all([first, third]);
  });

  it("passes the slot on when a call is aborted at the moment it becomes free", async () => {
    const { observe, order, running } = limited(1);
    const caller = new AbortController();
    const first = observe("1");
    const second = observe("2", { signal: caller.signal });
    const third = observe("3");
    running[0]?.finish();
    // The slot is handed over in the microtask after the handler settled; abort right behind it.
    await Promise.resolve();
    await Promise.resolve();
    await Promise.resolve();
    caller.abort();
    await expect(second).rejects.toMatchObject({ code: "HOOK_ABORTED" });
    await settle();
    running[1]?.finish();
    running[2]?.finish();
    await first;
    await settle();
    for (const { finish } of running) finish();
    await third;
    expect(order.at(-1)).toBe("3");
  });

  it("aborts the signal of the running handler", async () => {
    const { observe, running, clock } = limited(1);
    const dispatch = observe("1");
    expect(running[0]?.signal.aborted).toBe(false);
    await advance(clock, DEADLINE_MS + 30);
    await dispatch;
    expect(running[0]?.signal.reason).toMatchObject({ code: "HOOK_TIMEOUT" });
  });
});
