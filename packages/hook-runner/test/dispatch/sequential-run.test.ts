import { describe, expect, it } from "vitest";
import { PluginHookExecutionError } from "../../src/index.js";
import { advance, createFixture, DEADLINE_MS, hang, settle } from "../support/fixture.js";

const event = { toolName: "exec", params: { command: "ls" } };

describe("sequential dispatch", () => {
  it("[HOOK-011] starts a handler only after the previous one settled", async () => {
    const { runner } = createFixture();
    const log: string[] = [];
    for (const owner of ["a", "b", "c"]) {
      runner.register({
        name: "build",
        owner,
        source: owner,
        handler: async () => {
          log.push(`${owner} in`);
          await settle();
          log.push(`${owner} out`);
        },
      });
    }
    await runner.rewrite("build", { text: "", tags: [] }, {});
    expect(log).toEqual(["a in", "a out", "b in", "b out", "c in", "c out"]);
  });

  it("[HOOK-011] passes the rewrites of earlier handlers to later ones", async () => {
    const { runner } = createFixture();
    const seen: unknown[] = [];
    runner.register({
      name: "check",
      owner: "a",
      source: "a",
      handler: async ({ params }) => ({ params: { ...params, cwd: "/a" } }),
    });
    runner.register({
      name: "check",
      owner: "b",
      source: "b",
      handler: ({ params }) => {
        seen.push(params);
        return { params: { ...params, user: "b" } };
      },
    });
    runner.register({
      name: "check",
      owner: "c",
      source: "c",
      handler: ({ params }) => void seen.push(params),
    });
    const given = { ...event };
    expect(await runner.decide("check", given, {})).toEqual({
      params: { command: "ls", cwd: "/a", user: "b" },
    });
    expect(seen).toEqual([
      { command: "ls", cwd: "/a" },
      { command: "ls", cwd: "/a", user: "b" },
    ]);
    expect(given).toEqual(event);
  });

  it("returns the result itself when every handler returned synchronously", () => {
    const { runner } = createFixture();
    runner.register({ name: "send", owner: "a", source: "a", handler: () => ({ content: "hi" }) });
    expect(runner.decide("send", { content: "" }, {})).toEqual({ content: "hi" });
    expect(runner.decide("check", event, {})).toBeUndefined();
  });

  it("awaits thenables that are not promises and accepts one settlement of each", async () => {
    const { runner } = createFixture();
    const twice = {
      // biome-ignore lint/suspicious/noThenProperty: a badly behaved thenable is the point
      then(resolve: (value: unknown) => void) {
        resolve({ content: "first" });
        resolve({ content: "second" });
      },
    };
    let calls = 0;
    runner.register({ name: "send", owner: "a", source: "a", handler: () => twice as never });
    runner.register({ name: "send", owner: "b", source: "b", handler: () => void calls++ });
    expect(await runner.decide("send", { content: "" }, {})).toEqual({ content: "first" });
    expect(calls).toBe(1);
  });

  it("calls the handler without a `this`", async () => {
    const { runner } = createFixture();
    const seen: unknown[] = [];
    for (const name of ["seen", "send", "write"] as const) {
      runner.register({
        name,
        owner: name,
        source: name,
        handler(this: unknown) {
          seen.push(this);
        },
      });
    }
    await runner.observe("seen", { id: "1" }, {});
    await runner.decide("send", { content: "" }, {});
    runner.sync("write", { message: { role: "user", text: "" } }, {});
    expect(seen).toEqual([undefined, undefined, undefined]);
  });
});

describe("terminal results", () => {
  it("[HOOK-012] stop the dispatch and report the rest as not-run", async () => {
    const { runner } = createFixture();
    const traces: string[][] = [];
    runner.trace(({ handlers, outcome }) =>
      traces.push([outcome, ...handlers.map((handler) => handler.outcome)]),
    );
    let late = 0;
    runner.register({
      name: "check",
      owner: "a",
      source: "a",
      handler: async () => ({ guidance: "mind" }),
    });
    runner.register({
      name: "check",
      owner: "b",
      source: "b",
      handler: async () => ({ block: true, blockReason: "rm" }),
    });
    runner.register({ name: "check", owner: "c", source: "c", handler: () => void late++ });
    expect(await runner.decide("check", event, {})).toEqual({
      guidance: "mind",
      block: true,
      blockReason: "rm",
    });
    expect(late).toBe(0);
    expect(traces).toEqual([["terminal", "ok", "terminal", "not-run"]]);
  });

  it("[HOOK-012] do not include false, which decides nothing and undoes nothing", async () => {
    const { runner } = createFixture();
    runner.register({ name: "check", owner: "a", source: "a", handler: () => ({ block: false }) });
    expect(await runner.decide("check", event, {})).toBeUndefined();
    runner.register({
      name: "check",
      owner: "b",
      source: "b",
      handler: () => ({ block: true }),
    });
    runner.register({ name: "check", owner: "c", source: "c", handler: () => ({ block: false }) });
    expect(await runner.decide("check", event, {})).toEqual({ block: true });
  });

  it("[HOOK-012] may be several per hook, including non-boolean ones", async () => {
    const { runner } = createFixture();
    let calls = 0;
    runner.register({
      name: "send",
      owner: "a",
      source: "a",
      handler: () => ({ handled: true, text: "x" }),
    });
    runner.register({ name: "send", owner: "b", source: "b", handler: () => void calls++ });
    expect(await runner.decide("send", { content: "" }, {})).toEqual({ handled: true, text: "x" });
    runner.register({
      name: "gate",
      owner: "a",
      source: "a",
      handler: () => ({ outcome: "pass" }),
    });
    runner.register({
      name: "gate",
      owner: "b",
      source: "b",
      handler: () => ({ outcome: "block" }),
    });
    runner.register({ name: "gate", owner: "c", source: "c", handler: () => void calls++ });
    expect(await runner.decide("gate", { prompt: "" }, {})).toEqual({ outcome: "block" });
    expect(calls).toBe(0);
  });
});

describe("claims", () => {
  it("[HOOK-013] return the first handled result alone and skip the rest", async () => {
    const { runner } = createFixture();
    const calls: string[] = [];
    const add = (owner: string, result: object | undefined) =>
      runner.register({
        name: "answer",
        owner,
        source: owner,
        handler: async () => {
          calls.push(owner);
          return result as never;
        },
      });
    add("nothing", undefined);
    add("no", { handled: false, reply: "ignored" });
    add("half", { reply: "ignored too" });
    expect(await runner.claim("answer", { body: "hi" }, {})).toBeUndefined();
    add("yes", { handled: true, reply: "hello" });
    add("late", { handled: true, reply: "never" });
    calls.length = 0;
    expect(await runner.claim("answer", { body: "hi" }, {})).toEqual({
      handled: true,
      reply: "hello",
    });
    expect(calls).toEqual(["nothing", "no", "half", "yes"]);
  });
});

describe("deadlines", () => {
  it("[HOOK-021] abandon a handler and run the next one; the late answer is counted", async () => {
    const { runner, clock, diagnostics } = createFixture();
    let release = (_result: { content: string }) => {};
    runner.register({
      name: "send",
      owner: "slow",
      source: "slow",
      handler: () => new Promise<{ content: string }>((resolve) => (release = resolve)),
    });
    runner.register({
      name: "send",
      owner: "next",
      source: "next",
      handler: () => ({ content: "sent" }),
    });
    const result = runner.decide("send", { content: "" }, {});
    await advance(clock, DEADLINE_MS + 30);
    expect(await result).toEqual({ content: "sent" });
    release({ content: "too late" });
    await settle();
    const { hooks, registrations } = runner.counters();
    expect(hooks.send).toMatchObject({ late: 1, failed: { HOOK_TIMEOUT: 1 } });
    expect(registrations[0]).toMatchObject({ owner: "slow", late: 1, ok: 0 });
    expect(diagnostics).toMatchObject([{ code: "handler-failed", level: "warn", owner: "slow" }]);
  });

  it("[HOOK-021] keep a late answer from overlapping dispatches", async () => {
    const { runner, clock } = createFixture();
    const answers: ((result: { content: string }) => void)[] = [];
    runner.register({
      name: "send",
      owner: "a",
      source: "a",
      handler: () => new Promise<{ content: string }>((resolve) => answers.push(resolve)),
    });
    const dispatch = async () => runner.decide("send", { content: "" }, {});
    const overlapping = [dispatch(), dispatch(), dispatch()];
    for (const index of [2, 0, 1]) answers[index]?.({ content: String(index) });
    expect(await Promise.all(overlapping)).toEqual([
      { content: "0" },
      { content: "1" },
      { content: "2" },
    ]);

    const late = dispatch();
    await advance(clock, DEADLINE_MS + 30);
    expect(await late).toBeUndefined();
    const next = dispatch();
    answers[3]?.({ content: "late" });
    await settle();
    answers[4]?.({ content: "its own" });
    expect(await next).toEqual({ content: "its own" });
    expect(runner.counters().hooks.send).toMatchObject({ late: 1, failed: { HOOK_TIMEOUT: 1 } });
  });

  it("[HOOK-021] leave no unhandled rejection when a handler rejects late", async () => {
    const unhandled: unknown[] = [];
    const listen = (reason: unknown) => unhandled.push(reason);
    process.on("unhandledRejection", listen);
    const { runner, clock } = createFixture();
    let fail = (_error: Error) => {};
    runner.register({
      name: "send",
      owner: "slow",
      source: "slow",
      handler: () => new Promise<void>((_resolve, reject) => (fail = reject)),
    });
    const result = runner.decide("send", { content: "" }, {});
    await advance(clock, DEADLINE_MS + 30);
    await result;
    fail(new Error("late"));
    await settle();
    await settle();
    process.off("unhandledRejection", listen);
    expect(unhandled).toEqual([]);
    expect(runner.counters().hooks.send.late).toBe(1);
  });

  it("[HOOK-021] apply to each handler of a dispatch separately", async () => {
    const { runner, clock } = createFixture();
    const started: number[] = [];
    for (const owner of ["a", "b", "c"]) {
      runner.register({
        name: "send",
        owner,
        source: owner,
        timeoutMs: 300,
        handler: () => {
          started.push(clock.now());
          return hang();
        },
      });
    }
    const result = runner.decide("send", { content: "" }, {});
    await advance(clock, 1_050);
    expect(await result).toBeUndefined();
    expect(started).toHaveLength(3);
    for (const [index, at] of started.entries()) {
      expect(at).toBeGreaterThanOrEqual(index * 300);
      expect(at).toBeLessThanOrEqual(index * 330);
    }
  });
});

describe("ctx.signal", () => {
  it("[HOOK-023] aborts with the timeout error at the deadline, even when first read afterwards", async () => {
    const { runner, clock } = createFixture();
    const reasons: unknown[] = [];
    let context: { readonly signal: AbortSignal } | undefined;
    runner.register({
      name: "send",
      owner: "a",
      source: "a",
      handler: (_event, ctx) => {
        ctx.signal.addEventListener("abort", () => reasons.push(ctx.signal.reason));
        return hang();
      },
    });
    runner.register({
      name: "send",
      owner: "b",
      source: "b",
      handler: (_event, ctx) => {
        context = ctx;
        return hang();
      },
    });
    const result = runner.decide("send", { content: "" }, {});
    await advance(clock, 2 * DEADLINE_MS + 60);
    await result;
    expect(reasons).toMatchObject([
      { code: "HOOK_TIMEOUT", pluginId: "a", timeoutMs: DEADLINE_MS },
    ]);
    expect(context?.signal.aborted).toBe(true);
    expect(context?.signal.reason).toMatchObject({ code: "HOOK_TIMEOUT", pluginId: "b" });
    expect(context?.signal).toBe(context?.signal);
  });

  it("[HOOK-023] never aborts after the handler settled", async () => {
    const { runner, clock } = createFixture();
    const signals: AbortSignal[] = [];
    const caller = new AbortController();
    runner.register({
      name: "send",
      owner: "a",
      source: "a",
      handler: async (_event, ctx) => void signals.push(ctx.signal),
    });
    runner.register({ name: "send", owner: "b", source: "b", handler: hang });
    const result = runner.decide("send", { content: "" }, {}, { signal: caller.signal });
    await settle();
    caller.abort(new Error("stop"));
    await expect(result).rejects.toMatchObject({ code: "HOOK_ABORTED", pluginId: "b" });
    await advance(clock, DEADLINE_MS + 30);
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  });

  it("[HOOK-023] ends the dispatch at once on the caller's abort and runs no further handler", async () => {
    const { runner } = createFixture();
    const traces: string[][] = [];
    runner.trace(({ handlers, outcome }) =>
      traces.push([outcome, ...handlers.map((handler) => handler.outcome)]),
    );
    const caller = new AbortController();
    const reason = new Error("user pressed stop");
    let signal: AbortSignal | undefined;
    runner.register({
      name: "check",
      owner: "a",
      source: "a",
      handler: (_event, ctx) => {
        signal = ctx.signal;
        return hang();
      },
    });
    let late = 0;
    runner.register({ name: "check", owner: "b", source: "b", handler: () => void late++ });
    const result = Promise.resolve(runner.decide("check", event, {}, { signal: caller.signal }));
    caller.abort(reason);
    const error = await result.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(PluginHookExecutionError.isInstance(error)).toBe(true);
    expect(error).toMatchObject({ code: "HOOK_ABORTED", pluginId: "a", cause: reason });
    expect(signal?.reason).toBe(reason);
    expect(late).toBe(0);
    expect(traces).toEqual([["aborted", "aborted", "not-run"]]);
    expect(runner.counters().registrations[0]).toMatchObject({ dispatched: 1, ok: 0 });
  });

  it("[HOOK-023] runs no handler when it was aborted before", async () => {
    const { runner } = createFixture();
    let calls = 0;
    runner.register({ name: "check", owner: "a", source: "a", handler: () => void calls++ });
    await expect(
      runner.decide("check", event, {}, { signal: AbortSignal.abort("early") }),
    ).rejects.toMatchObject({ code: "HOOK_ABORTED", cause: "early", attempts: 0 });
    expect(calls).toBe(0);
    expect(runner.counters().registrations[0]).toMatchObject({ dispatched: 0, ok: 0 });
  });

  it("[HOOK-023] lets a handler abort its own dispatch, at once or while others wait", async () => {
    const { runner } = createFixture();
    const caller = new AbortController();
    let late = 0;
    runner.register({
      name: "check",
      owner: "a",
      source: "a",
      handler: () => {
        caller.abort("mine");
        return hang();
      },
    });
    runner.register({ name: "check", owner: "b", source: "b", handler: () => void late++ });
    await expect(
      runner.decide("check", event, {}, { signal: caller.signal }),
    ).rejects.toMatchObject({ code: "HOOK_ABORTED", pluginId: "a" });

    const second = new AbortController();
    const { runner: other } = createFixture();
    other.register({ name: "check", owner: "a", source: "a", handler: async () => {} });
    other.register({ name: "check", owner: "b", source: "b", handler: () => second.abort("now") });
    other.register({ name: "check", owner: "c", source: "c", handler: () => void late++ });
    await expect(other.decide("check", event, {}, { signal: second.signal })).rejects.toMatchObject(
      { code: "HOOK_ABORTED", pluginId: "c" },
    );
    expect(late).toBe(0);
  });

  it("[HOOK-023] lets a listener abort the dispatch that has just timed out", async () => {
    const { runner, clock } = createFixture();
    const caller = new AbortController();
    runner.register({
      name: "send",
      owner: "a",
      source: "a",
      handler: (_event, { signal }) => {
        signal.addEventListener("abort", () => caller.abort("enough"));
        return hang();
      },
    });
    let late = 0;
    runner.register({ name: "send", owner: "b", source: "b", handler: () => void late++ });
    const result = Promise.resolve(
      runner.decide("send", { content: "" }, {}, { signal: caller.signal }),
    );
    const outcome = expect(result).rejects.toMatchObject({ code: "HOOK_ABORTED", pluginId: "b" });
    await advance(clock, DEADLINE_MS + 30);
    await outcome;
    expect(late).toBe(0);
  });

  it("leaves no listener of a finished dispatch on the caller's signal", async () => {
    const { runner } = createFixture();
    const caller = new AbortController();
    runner.register({
      name: "send",
      owner: "a",
      source: "a",
      handler: async () => ({ content: "x" }),
    });
    const options = { signal: caller.signal };
    for (let count = 0; count < 3; count += 1) {
      expect(await runner.decide("send", { content: "" }, {}, options)).toEqual({ content: "x" });
    }
    caller.abort();
    await settle();
    expect(runner.counters().hooks.send).toMatchObject({ dispatched: 3, ok: 3, failed: {} });
  });
});

describe("detailed results", () => {
  it("name each contributor and the decider", async () => {
    const { runner } = createFixture();
    runner.register({
      name: "check",
      owner: "a",
      source: "a",
      handler: () => ({ guidance: "one" }),
    });
    runner.register({ name: "check", owner: "b", source: "b", handler: () => {} });
    runner.register({
      name: "check",
      owner: "c",
      source: "c",
      handler: async () => ({ guidance: "two", params: { n: 1 } }),
    });
    const open = await runner.detailed("check", event, {});
    expect(open).toMatchObject({
      outcome: "completed",
      result: { guidance: "one\n\ntwo", params: { n: 1 } },
      contributions: [
        { registration: { owner: "a" }, result: { guidance: "one" } },
        { registration: { owner: "c" }, result: { guidance: "two", params: { n: 1 } } },
      ],
    });
    expect(open.decidedBy).toBeUndefined();

    runner.register({ name: "check", owner: "d", source: "d", handler: () => ({ block: true }) });
    expect(await runner.detailed("check", event, {})).toMatchObject({
      outcome: "terminal",
      decidedBy: { owner: "d", hook: "check" },
    });
  });

  it("name the failure behind a denial, and reject when the hook has no denial", async () => {
    const { runner } = createFixture();
    runner.register({
      name: "check",
      owner: "a",
      source: "a",
      handler: () => {
        throw new Error("secret path /etc/x");
      },
    });
    const details = await runner.detailed("check", event, {});
    expect(details).toMatchObject({
      outcome: "denied",
      decidedBy: { owner: "a" },
      failure: { code: "HOOK_THREW", pluginId: "a" },
    });
    runner.register({ name: "gate", owner: "a", source: "a", handler: () => 5 as never });
    await expect(runner.detailed("gate", { prompt: "" }, {})).rejects.toMatchObject({
      code: "HOOK_MALFORMED",
    });
  });

  it("cover claims, sync hooks and hooks without handlers", async () => {
    const { runner } = createFixture();
    expect(await runner.detailed("answer", { body: "" }, {})).toEqual({
      result: undefined,
      outcome: "completed",
      called: [],
      contributions: [],
    });
    runner.register({
      name: "answer",
      owner: "a",
      source: "a",
      handler: () => ({ handled: false }),
    });
    runner.register({
      name: "answer",
      owner: "b",
      source: "b",
      handler: () => ({ handled: true }),
    });
    expect(await runner.detailed("answer", { body: "" }, {})).toMatchObject({
      outcome: "terminal",
      decidedBy: { owner: "b" },
      contributions: [{ registration: { owner: "b" } }],
    });
    runner.register({ name: "write", owner: "w", source: "w", handler: () => ({ block: true }) });
    expect(runner.detailedSync("write", { message: { role: "user", text: "" } }, {})).toMatchObject(
      {
        result: { block: true },
        decidedBy: { owner: "w" },
      },
    );
  });
});
