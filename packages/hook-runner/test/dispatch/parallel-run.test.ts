import { describe, expect, it } from "vitest";
import { advance, createFixture, DEADLINE_MS, hang, settle } from "../support/fixture.js";

const event = { id: "1" };

describe("observer hooks", () => {
  it("[HOOK-010] start all handlers in order in the same tick and settle when all have settled", async () => {
    const { runner } = createFixture();
    const log: string[] = [];
    const releases: (() => void)[] = [];
    for (const [owner, priority] of [
      ["b", 1],
      ["c", 0],
      ["a", 2],
    ] as const) {
      runner.register({
        name: "seen",
        owner,
        source: owner,
        priority,
        handler: async () => {
          log.push(owner);
          await new Promise<void>((resolve) => releases.push(resolve));
          return "ignored";
        },
      });
    }
    let settled = false;
    const dispatch = runner.observe("seen", event, {}).then((value) => {
      settled = true;
      return value;
    });
    expect(log).toEqual(["a", "b", "c"]);
    releases[2]?.();
    releases[0]?.();
    await settle();
    expect(settled).toBe(false);
    releases[1]?.();
    expect(await dispatch).toBeUndefined();
  });

  it("[HOOK-010] ignore every returned value", async () => {
    const { runner, diagnostics } = createFixture();
    for (const value of [1, "x", null, [], { block: true }, () => 1, Symbol("s")]) {
      runner.register({ name: "seen", owner: "a", source: "a", handler: () => value });
      runner.register({ name: "seen", owner: "b", source: "b", handler: async () => value });
    }
    expect(await runner.observe("seen", event, {})).toBeUndefined();
    expect(diagnostics).toEqual([]);
  });

  it("[HOOK-010] settle without handlers that missed their own deadlines", async () => {
    const { runner, clock } = createFixture();
    const aborted: string[] = [];
    const finish: (() => void)[] = [];
    const add = (owner: string, timeoutMs: number) =>
      runner.register({
        name: "seen",
        owner,
        source: owner,
        timeoutMs,
        handler: (_event, { signal }) => {
          signal.addEventListener("abort", () => aborted.push(owner));
          return new Promise<void>((resolve) => finish.push(resolve));
        },
      });
    add("long", 900);
    add("short", 150);
    add("middle", 500);
    let settled = false;
    const dispatch = runner.observe("seen", event, {}).then(() => {
      settled = true;
    });
    await advance(clock, 195);
    expect(aborted).toEqual(["short"]);
    await advance(clock, 400);
    expect(aborted).toEqual(["short", "middle"]);
    expect(settled).toBe(false);
    await advance(clock, 400);
    await dispatch;
    expect(aborted).toEqual(["short", "middle", "long"]);
    for (const resolve of finish) resolve();
    await settle();
    expect(runner.counters().hooks.seen).toMatchObject({
      failed: { HOOK_TIMEOUT: 3 },
      late: 3,
      ok: 1,
    });
  });

  it("[HOOK-021] keep a handler that settles late from settling another overlapping dispatch", async () => {
    const { runner, clock } = createFixture();
    const finish: (() => void)[] = [];
    runner.register({
      name: "seen",
      owner: "a",
      source: "a",
      handler: () => new Promise<void>((resolve) => finish.push(resolve)),
    });
    const settled: number[] = [];
    const dispatch = (number: number) =>
      runner.observe("seen", event, {}).then(() => settled.push(number));
    const overlapping = [dispatch(0), dispatch(1)];
    finish[1]?.();
    await settle();
    expect(settled).toEqual([1]);
    finish[0]?.();
    await Promise.all(overlapping);

    const late = dispatch(2);
    await advance(clock, DEADLINE_MS + 30);
    await late;
    const next = dispatch(3);
    finish[2]?.();
    await settle();
    expect(settled).toEqual([1, 0, 2]);
    finish[3]?.();
    await next;
    expect(runner.counters().hooks.seen).toMatchObject({ late: 1, failed: { HOOK_TIMEOUT: 1 } });
  });

  it("[HOOK-021] count a late rejection and leave none unhandled", async () => {
    const { runner, clock } = createFixture();
    let fail = (_error: Error) => {};
    runner.register({
      name: "seen",
      owner: "a",
      source: "a",
      handler: () => new Promise((_resolve, reject) => (fail = reject)),
    });
    const dispatch = runner.observe("seen", event, {});
    await advance(clock, DEADLINE_MS + 30);
    await dispatch;
    fail(new Error("late"));
    await settle();
    expect(runner.counters().hooks.seen.late).toBe(1);
  });

  it("[HOOK-029] skip a failing handler, log it with owner, hook and cause, and count it", async () => {
    const { runner, diagnostics } = createFixture();
    const boom = new Error("boom");
    let others = 0;
    runner.register({
      name: "seen",
      owner: "bad",
      source: "bad.ts",
      handler: () => {
        throw boom;
      },
    });
    runner.register({
      name: "seen",
      owner: "worse",
      source: "w",
      handler: () => Promise.reject(boom),
    });
    runner.register({ name: "seen", owner: "good", source: "g", handler: () => void others++ });
    await runner.observe("seen", event, {});
    expect(others).toBe(1);
    expect(diagnostics).toMatchObject([
      {
        code: "handler-failed",
        level: "warn",
        owner: "bad",
        hook: "seen",
        source: "bad.ts",
        cause: { code: "HOOK_THREW", cause: boom },
      },
      { owner: "worse" },
    ]);
    expect(runner.counters().hooks.seen.failed).toEqual({ HOOK_THREW: 2 });
  });

  it("[HOOK-031] run every handler and then reject with the first failure by order when they fail closed", async () => {
    const { runner, clock } = createFixture();
    const ran: string[] = [];
    const add = (owner: string, handler: () => unknown) =>
      runner.register({
        name: "audited",
        owner,
        source: owner,
        handler: () => {
          ran.push(owner);
          return handler();
        },
      });
    add("hung", hang);
    add("rejects", () => Promise.reject(new Error("2")));
    add("fine", async () => {});
    add("throws", () => {
      throw new Error("4");
    });
    const dispatch = runner.observe("audited", event, {}).catch((error: unknown) => error);
    await advance(clock, DEADLINE_MS + 30);
    expect(await dispatch).toMatchObject({
      code: "HOOK_TIMEOUT",
      pluginId: "hung",
      mode: "fail-closed",
      errors: [
        { code: "HOOK_THREW", pluginId: "rejects" },
        { code: "HOOK_THREW", pluginId: "throws" },
      ],
    });
    expect(ran).toEqual(["hung", "rejects", "fine", "throws"]);
  });

  it("[HOOK-031] reject when every handler failed synchronously", async () => {
    const { runner } = createFixture();
    runner.register({
      name: "audited",
      owner: "a",
      source: "a",
      handler: () => {
        throw "text";
      },
    });
    await expect(runner.observe("audited", event, {})).rejects.toMatchObject({ cause: "text" });
  });

  it("wait only for fail-closed handlers when asked", async () => {
    const { runner, clock } = createFixture();
    let strict = () => {};
    runner.register({ name: "seen", owner: "open", source: "o", handler: hang });
    runner.register({
      name: "seen",
      owner: "closed",
      source: "c",
      onTimeout: "fail-closed",
      handler: () => new Promise<void>((resolve) => (strict = resolve)),
    });
    let settled = false;
    const dispatch = runner.observe("seen", event, {}, { wait: "fail-closed" }).then(() => {
      settled = true;
    });
    await settle();
    expect(settled).toBe(false);
    strict();
    await dispatch;
    await advance(clock, DEADLINE_MS + 30);
    expect(runner.counters().hooks.seen).toMatchObject({ failed: { HOOK_TIMEOUT: 1 }, ok: 1 });

    const none = createFixture().runner;
    none.register({ name: "seen", owner: "open", source: "o", handler: hang });
    await none.observe("seen", event, {}, { wait: "fail-closed" });
  });

  it("[HOOK-023] end at once on the caller's abort and abort every call in flight", async () => {
    const { runner } = createFixture();
    const reasons: unknown[] = [];
    for (const owner of ["a", "b"]) {
      runner.register({
        name: "seen",
        owner,
        source: owner,
        handler: (_event, { signal }) => {
          signal.addEventListener("abort", () => reasons.push([owner, signal.reason]));
          return hang();
        },
      });
    }
    runner.register({ name: "seen", owner: "done", source: "d", handler: async () => {} });
    const caller = new AbortController();
    const dispatch = runner.observe("seen", event, {}, { signal: caller.signal });
    await settle();
    caller.abort("stop");
    await expect(dispatch).rejects.toMatchObject({
      code: "HOOK_ABORTED",
      pluginId: "a",
      cause: "stop",
    });
    expect(reasons).toEqual([
      ["a", "stop"],
      ["b", "stop"],
    ]);
    expect(runner.counters().hooks.seen.failed).toEqual({ HOOK_ABORTED: 2 });
  });

  it("[HOOK-023] call no further handlers after an abort before or during the start", async () => {
    const { runner } = createFixture();
    const caller = new AbortController();
    let calls = 0;
    runner.register({
      name: "seen",
      owner: "a",
      source: "a",
      handler: () => {
        caller.abort("mine");
        return hang();
      },
    });
    runner.register({ name: "seen", owner: "b", source: "b", handler: () => void calls++ });
    const options = { signal: caller.signal };
    await expect(runner.observe("seen", event, {}, options)).rejects.toMatchObject({
      pluginId: "a",
    });
    await expect(runner.observe("seen", event, {}, options)).rejects.toMatchObject({
      code: "HOOK_ABORTED",
      attempts: 0,
    });
    expect(calls).toBe(0);
  });

  it("report a failure that preceded the abort", async () => {
    const { runner } = createFixture();
    const caller = new AbortController();
    runner.register({
      name: "audited",
      owner: "a",
      source: "a",
      handler: () => {
        throw new Error("first");
      },
    });
    runner.register({ name: "audited", owner: "b", source: "b", handler: hang });
    const dispatch = runner.observe("audited", event, {}, { signal: caller.signal });
    caller.abort();
    await expect(dispatch).rejects.toMatchObject({
      code: "HOOK_ABORTED",
      errors: [{ code: "HOOK_THREW", pluginId: "a" }],
    });
  });

  it("abort no call when a handler aborts the dispatch in its last step", async () => {
    const { runner } = createFixture();
    const caller = new AbortController();
    runner.register({ name: "seen", owner: "a", source: "a", handler: () => caller.abort() });
    expect(await runner.observe("seen", event, {}, { signal: caller.signal })).toBeUndefined();
  });

  it("let a listener of a timed-out call abort the whole dispatch", async () => {
    const { runner, clock } = createFixture();
    const caller = new AbortController();
    for (const owner of ["a", "b"]) {
      runner.register({
        name: "seen",
        owner,
        source: owner,
        handler: (_event, { signal }) => {
          signal.addEventListener("abort", () => caller.abort("chain"));
          return hang();
        },
      });
    }
    const dispatch = runner.observe("seen", event, {}, { signal: caller.signal });
    const outcome = expect(dispatch).rejects.toMatchObject({ code: "HOOK_ABORTED", pluginId: "b" });
    await advance(clock, DEADLINE_MS + 30);
    await outcome;
    expect(runner.counters().hooks.seen.failed).toEqual({ HOOK_TIMEOUT: 1, HOOK_ABORTED: 1 });
  });
});
