import { channel } from "node:diagnostics_channel";
import { describe, expect, it } from "vitest";
import type { DispatchTrace } from "../../src/index.js";
import { advance, createFixture, DEADLINE_MS, hang, settle } from "../support/fixture.js";

const event = { toolName: "exec", params: { command: "ls" } };

describe("dispatch traces", () => {
  it("[HOOK-047] hold one record per dispatch with the outcome of every handler", async () => {
    const { runner, clock } = createFixture({
      traceIds: ({ traceId }) => ({ traceId }),
    });
    const traces: DispatchTrace[] = [];
    runner.trace((trace) => traces.push(trace));
    const add = (id: string, handler: () => unknown, options: object = {}) =>
      runner.register({
        name: "check",
        owner: `owner of ${id}`,
        source: "s",
        id,
        mode: "fail-open",
        handler: handler as () => void,
        ...options,
      });
    let calls = 0;
    add("ok", async () => ({ guidance: "g" }), { alias: "tool.pre", priority: 3 });
    add("no-result", () => {});
    add("skipped-scope", () => {}, { scope: { agentIds: ["x"] } });
    add("skipped-condition", () => {}, { condition: () => false });
    add("threw", () => {
      throw new Error("boom");
    });
    add("condition threw", () => {}, {
      condition: () => {
        throw new Error("boom");
      },
    });
    add("malformed", () => 5);
    add(
      "retried",
      () => {
        calls += 1;
        if (calls === 1) throw new Error("once");
      },
      { retry: { count: 1 } },
    );
    add("timeout", hang, { timeoutMs: 200 });
    add("slow", () => new Promise((resolve) => clock.setTimeout(() => resolve(undefined), 90)));
    add("terminal", () => ({ block: true }));
    add("not-run", () => {});
    const result = runner.decide("check", event, { traceId: "t1" });
    await advance(clock, 400);
    await result;

    expect(traces).toHaveLength(1);
    const [trace] = traces;
    expect(trace).toMatchObject({
      hook: "check",
      kind: "decide",
      generation: 1,
      traceIds: { traceId: "t1" },
      outcome: "terminal",
    });
    expect(trace?.handlers.map(({ id, outcome, attempts }) => [id, outcome, attempts])).toEqual([
      ["ok", "ok", 1],
      ["no-result", "no-result", 1],
      ["skipped-scope", "skipped-scope", 0],
      ["skipped-condition", "skipped-condition", 0],
      ["threw", "threw", 1],
      ["condition threw", "threw", 0],
      ["malformed", "malformed", 1],
      ["retried", "no-result", 2],
      ["timeout", "timeout", 1],
      ["slow", "no-result", 1],
      ["terminal", "terminal", 1],
      ["not-run", "not-run", 0],
    ]);
    expect(trace?.handlers[0]).toMatchObject({
      owner: "owner of ok",
      source: "s",
      priority: 3,
      stage: "ordinary",
      alias: "tool.pre",
      queueWaitMs: 0,
    });
    const durationOf = (id: string) =>
      trace?.handlers.find((each) => each.id === id)?.durationMs ?? -1;
    const startOf = (id: string) => trace?.handlers.find((each) => each.id === id)?.startMs;
    expect(startOf("slow")).toBeGreaterThanOrEqual(200);
    expect(startOf("not-run")).toBeUndefined();
    expect(durationOf("timeout")).toBeGreaterThanOrEqual(200);
    expect(durationOf("slow")).toBeGreaterThanOrEqual(90);
    expect(durationOf("not-run")).toBe(0);
    expect(trace?.durationMs).toBeGreaterThanOrEqual(290);
  });

  it("[HOOK-047] include late, saturated and the queue wait; every dispatch has its own id", async () => {
    const { runner, clock } = createFixture();
    const traces: DispatchTrace[] = [];
    runner.trace((trace) => traces.push(trace));
    let release = () => {};
    runner.register({
      name: "send",
      owner: "slow",
      source: "s",
      timeoutMs: 100,
      maxConcurrency: 1,
      handler: () => new Promise<void>((resolve) => (release = resolve)),
    });
    runner.register({ name: "send", owner: "hung", source: "h", handler: hang });
    const first = runner.decide("send", { content: "1" }, {});
    await advance(clock, 150);
    const second = runner.decide("send", { content: "2" }, {});
    await settle();
    release();
    await advance(clock, 2 * DEADLINE_MS);
    await first;
    await second;
    expect(traces.map(({ handlers }) => handlers[0]?.outcome)).toEqual(["late", "saturated"]);
    expect(new Set(traces.map(({ id }) => id)).size).toBe(2);

    traces.length = 0;
    const finish: (() => void)[] = [];
    runner.register({
      name: "seen",
      owner: "one",
      source: "o",
      maxConcurrency: 1,
      handler: () => new Promise<void>((resolve) => finish.push(resolve)),
    });
    const dispatches = [
      runner.observe("seen", { id: "1" }, {}),
      runner.observe("seen", { id: "2" }, {}),
    ];
    await advance(clock, 60);
    finish[0]?.();
    await settle();
    finish[1]?.();
    await Promise.all(dispatches);
    expect(traces.map(({ handlers }) => handlers[0]?.queueWaitMs)).toEqual([0, 60]);
  });

  it("[HOOK-047] record observers, aborted and failed dispatches, and dispatches without handlers", async () => {
    const { runner, clock } = createFixture();
    const outcomes: string[] = [];
    runner.trace(({ hook, outcome, error, handlers }) =>
      outcomes.push(
        `${hook} ${outcome} ${error?.code ?? "-"} ${handlers.map((each) => each.outcome)}`,
      ),
    );
    await runner.observe("seen", { id: "1" }, {});
    runner.sync("stamp", { line: "" }, {});
    let late = () => {};
    runner.register({
      name: "audited",
      owner: "late",
      source: "l",
      timeoutMs: 100,
      onTimeout: "fail-open",
      handler: () => new Promise<void>((resolve) => (late = resolve)),
    });
    runner.register({ name: "audited", owner: "hung", source: "h", handler: hang });
    const failed = runner.observe("audited", { id: "1" }, {}).catch(() => {});
    await advance(clock, 150);
    late();
    await advance(clock, DEADLINE_MS);
    await failed;
    const caller = new AbortController();
    const aborted = runner
      .observe("audited", { id: "1" }, {}, { signal: caller.signal })
      .catch(() => {});
    caller.abort();
    await aborted;
    runner.register({ name: "write", owner: "w", source: "w", handler: () => ({ block: true }) });
    runner.sync("write", { message: { role: "user", text: "" } }, {});
    expect(outcomes).toEqual([
      "seen completed - ",
      "stamp completed - ",
      "audited failed HOOK_TIMEOUT late,timeout",
      "audited aborted HOOK_ABORTED aborted,aborted",
      "write terminal - terminal",
    ]);
  });

  it("[HOOK-047] are unaffected by a listener that throws or rejects, which is logged", async () => {
    const { runner, diagnostics } = createFixture({
      traceIds: () => {
        throw new Error("no ids");
      },
    });
    const traces: DispatchTrace[] = [];
    runner.trace(() => {
      throw new Error("listener");
    });
    runner.trace(async () => {
      throw new Error("async listener");
    });
    runner.trace((trace) => traces.push(trace));
    runner.register({ name: "send", owner: "a", source: "a", handler: () => ({ content: "x" }) });
    expect(await runner.decide("send", { content: "" }, {})).toEqual({ content: "x" });
    await settle();
    expect(traces).toMatchObject([{ outcome: "completed", traceIds: {} }]);
    expect(diagnostics.map(({ code }) => code)).toEqual([
      "listener-failed",
      "listener-failed",
      "listener-failed",
    ]);
  });

  it("[HOOK-047] stop for a listener that is removed", async () => {
    const { runner } = createFixture();
    const traces: DispatchTrace[] = [];
    const stop = runner.trace((trace) => traces.push(trace));
    await runner.observe("seen", { id: "1" }, {});
    stop();
    await runner.observe("seen", { id: "2" }, {});
    expect(traces).toHaveLength(1);
  });

  it("[HOOK-048] give a listener that asks for it a patch per handler that rewrote the event", async () => {
    const { runner } = createFixture();
    const withDiff: DispatchTrace[] = [];
    const without: DispatchTrace[] = [];
    runner.trace((trace) => withDiff.push(trace), { diff: true });
    runner.trace((trace) => without.push(trace));
    runner.register({ name: "check", owner: "a", source: "a", handler: () => ({ guidance: "g" }) });
    runner.register({
      name: "check",
      owner: "b",
      source: "b",
      handler: async ({ params }) => ({ params: { ...params, cwd: "/" } }),
    });
    runner.register({
      name: "check",
      owner: "c",
      source: "c",
      handler: () => ({ params: { cwd: "/tmp" } }),
    });
    await runner.decide("check", event, {});
    expect(withDiff[0]?.handlers.map(({ patch }) => patch)).toEqual([
      undefined,
      [{ op: "add", path: "/params/cwd", value: "/" }],
      [
        { op: "remove", path: "/params/command" },
        { op: "replace", path: "/params/cwd", value: "/tmp" },
      ],
    ]);
    expect(without[0]?.handlers.every((handler) => !("patch" in handler))).toBe(true);
  });

  it("[HOOK-048] pass values through the host's redactor first, and omit the patch when it fails", async () => {
    let broken = false;
    const { runner, diagnostics } = createFixture({
      redact: (given) => {
        if (broken) throw new Error("redactor");
        return { ...given, params: "[redacted]" };
      },
    });
    const traces: DispatchTrace[] = [];
    runner.trace((trace) => traces.push(trace), { diff: true });
    runner.register({
      name: "check",
      owner: "a",
      source: "a",
      handler: () => ({ params: { token: "s3cret" } }),
    });
    await runner.decide("check", event, {});
    broken = true;
    await runner.decide("check", event, {});
    expect(traces.map(({ handlers }) => handlers[0]?.patch)).toEqual([[], undefined]);
    expect(diagnostics.map(({ code }) => code)).toEqual(["redactor-failed"]);
  });

  it("[HOOK-048] omit only the patch of an event that cannot be compared", async () => {
    const { runner, diagnostics } = createFixture();
    const traces: DispatchTrace[] = [];
    runner.trace((trace) => traces.push(trace), { diff: true });
    runner.register({
      name: "check",
      owner: "a",
      source: "a",
      handler: () => ({ params: { a: 1 }, block: true }),
    });
    class Vault {
      [name: string]: unknown;
    }
    const params = Object.defineProperty(new Vault(), "token", {
      enumerable: true,
      get: () => {
        throw new Error("not now");
      },
    });
    const unreadable = { ...event, params };
    const result = await runner.decide("check", unreadable, {});
    expect(result).toEqual({ params: { a: 1 }, block: true });
    expect(traces[0]).toMatchObject({ outcome: "terminal" });
    expect(traces[0]?.handlers[0]?.patch).toBeUndefined();
    expect(diagnostics.map(({ code }) => code)).toEqual(["redactor-failed"]);
    // The fields that it changed are not known in detail.
    expect(runner.counters().registrations[0]?.rewrote).toEqual(["params"]);
  });

  it("[HOOK-047] reach a diagnostics channel named by the host while it has subscribers", async () => {
    const { runner } = createFixture({ channel: "test.hooks" });
    const published: unknown[] = [];
    const listen = (message: unknown) => published.push(message);
    await runner.observe("seen", { id: "0" }, {});
    channel("test.hooks").subscribe(listen);
    await runner.observe("seen", { id: "1" }, {});
    channel("test.hooks").unsubscribe(listen);
    await runner.observe("seen", { id: "2" }, {});
    expect(published).toMatchObject([{ hook: "seen", outcome: "completed" }]);
  });

  it("include results and omit dispatches without handlers, when asked", () => {
    const { runner } = createFixture();
    const all: DispatchTrace[] = [];
    const handled: DispatchTrace[] = [];
    const undo = runner.trace((trace) => all.push(trace));
    runner.trace((trace) => handled.push(trace), { results: true, handledOnly: true });
    runner.decide("check", event, {});
    undo();
    runner.decide("check", event, {});
    const result = { block: true, blockReason: "no" };
    runner.register({ name: "check", owner: "guard", source: "s", handler: () => result });
    runner.decide("check", event, {});
    expect(all).toHaveLength(1);
    expect(all[0]?.handlers).toEqual([]);
    expect(handled).toHaveLength(1);
    expect(handled[0]?.handlers[0]).toMatchObject({ outcome: "terminal", result });
  });
});
