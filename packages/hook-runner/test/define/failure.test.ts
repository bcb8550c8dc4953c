import { describe, expect, it } from "vitest";
import {
  createHookRunner,
  type HookDiagnostic,
  type HookFailure,
  PluginHookExecutionError,
} from "../../src/index.js";
import {
  advance,
  createFixture,
  DEADLINE_MS,
  definitions,
  hang,
  type TestMap,
} from "../support/fixture.js";

const event = { toolName: "exec", params: {} };
const boom = () => {
  throw new Error("secret: hunter2");
};

describe("failure modes", () => {
  it("[HOOK-028] takes the default of mode from the hook's failure, and of onTimeout from mode, per registration", () => {
    const { runner } = createFixture();
    const modes = (name: "check" | "send", options: object) => {
      const unregister = runner.register({
        name,
        owner: "a",
        source: "a",
        handler: () => {},
        ...options,
      });
      const [handler] = runner.explain(name).handlers;
      unregister();
      return handler?.runs === true ? [handler.mode, handler.onTimeout] : undefined;
    };
    expect(modes("check", {})).toEqual(["fail-closed", "fail-closed"]);
    expect(modes("send", {})).toEqual(["fail-open", "fail-open"]);
    expect(modes("check", { mode: "fail-open" })).toEqual(["fail-open", "fail-open"]);
    expect(modes("send", { mode: "fail-closed" })).toEqual(["fail-closed", "fail-closed"]);
    expect(modes("check", { onTimeout: "fail-open" })).toEqual(["fail-closed", "fail-open"]);
    expect(modes("check", { mode: "fail-open", onTimeout: "fail-closed" })).toEqual([
      "fail-open",
      "fail-closed",
    ]);
  });

  it("[HOOK-028] lets one handler of a hook fail open and another fail closed", async () => {
    const { runner } = createFixture();
    runner.register({
      name: "check",
      owner: "open",
      source: "o",
      handler: boom,
      mode: "fail-open",
    });
    expect(await runner.decide("check", event, {})).toBeUndefined();
    runner.register({ name: "check", owner: "closed", source: "c", handler: boom });
    expect(await runner.detailed("check", event, {})).toMatchObject({
      outcome: "denied",
      decidedBy: { owner: "closed" },
    });
  });

  it("[HOOK-028] applies onTimeout, not mode, at the deadline", async () => {
    const { runner, clock } = createFixture();
    runner.register({
      name: "check",
      owner: "a",
      source: "a",
      handler: hang,
      mode: "fail-closed",
      onTimeout: "fail-open",
    });
    const open = runner.detailed("check", event, {});
    await advance(clock, DEADLINE_MS + 30);
    expect((await open).outcome).toBe("completed");
    runner.register({
      name: "send",
      owner: "b",
      source: "b",
      handler: hang,
      onTimeout: "fail-closed",
    });
    const closed = runner.detailed("send", { content: "" }, {});
    await advance(clock, DEADLINE_MS + 30);
    expect(await closed).toMatchObject({ outcome: "denied", failure: { code: "HOOK_TIMEOUT" } });
  });

  it("[HOOK-029] continues after a fail-open handler failed as if it had no result", async () => {
    const { runner, diagnostics } = createFixture();
    runner.register({ name: "send", owner: "bad", source: "bad.ts", handler: boom });
    runner.register({
      name: "send",
      owner: "good",
      source: "g",
      handler: () => ({ content: "x" }),
    });
    expect(await runner.decide("send", { content: "" }, {})).toEqual({ content: "x" });
    expect(diagnostics).toEqual([
      expect.objectContaining({
        level: "warn",
        code: "handler-failed",
        owner: "bad",
        hook: "send",
        source: "bad.ts",
      }),
    ]);
    expect(diagnostics[0]?.message).toContain("continues without it");
    expect(PluginHookExecutionError.isInstance(diagnostics[0]?.cause)).toBe(true);
    expect(runner.counters().hooks.send.failed).toEqual({ HOOK_THREW: 1 });
  });

  it("[HOOK-030] ends with the denial at once when a fail-closed handler fails; the reason names owner and kind, not the error", async () => {
    const { runner, clock } = createFixture();
    let late = 0;
    runner.register({
      name: "check",
      owner: "mild",
      source: "m",
      priority: 2,
      handler: () => ({ guidance: "g" }),
    });
    const first = runner.register({
      name: "check",
      owner: "bad",
      source: "b",
      priority: 1,
      handler: boom,
    });
    runner.register({ name: "check", owner: "after", source: "a", handler: () => void late++ });
    const denied = await runner.decide("check", event, {});
    expect(denied).toEqual({
      guidance: "g",
      block: true,
      blockReason: 'plugin "bad" failed on hook "check": its handler threw an error',
    });
    first();
    runner.register({ name: "check", owner: "hung", source: "h", priority: 1, handler: hang });
    const hung = runner.detailed("check", event, {});
    await advance(clock, DEADLINE_MS + 30);
    expect((await hung).result?.blockReason).toContain("did not answer within 1000 ms");
    expect(late).toBe(0);
  });

  it("[HOOK-030] rejects when a fail-closed handler of a hook without a denial fails", async () => {
    const { runner } = createFixture();
    runner.register({ name: "gate", owner: "bad", source: "b", handler: async () => boom() });
    const error = await Promise.resolve(runner.decide("gate", { prompt: "" }, {})).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({ code: "HOOK_THREW", pluginId: "bad", hookName: "gate" });
    expect((error as Error).message).not.toContain("hunter2");
    expect((error as Error).cause).toMatchObject({ message: "secret: hunter2" });
  });

  it("[HOOK-030] tells `deny` what failed without quoting the handler", async () => {
    const failures: HookFailure[] = [];
    const runner = createHookRunner<Pick<TestMap, "check">>(
      {
        check: {
          ...definitions.check,
          deny: (failure) => {
            failures.push(failure);
            return { block: true };
          },
        },
      },
      { onDiagnostic: () => {} },
    );
    runner.register({ name: "check", owner: "bad", source: "b", handler: boom, id: "rules" });
    await runner.decide("check", event, {});
    expect(failures).toEqual([
      {
        code: "HOOK_THREW",
        owner: "bad",
        hook: "check",
        registrationId: "rules",
        reason: 'plugin "bad" failed on hook "check": its handler threw an error',
      },
    ]);
  });

  it.each([
    [
      "throws",
      () => {
        throw new Error("deny");
      },
    ],
    ["denies nothing", () => ({ guidance: "fine" })],
    ["returns nothing", () => undefined],
    ["returns an empty result", () => ({ block: false })],
    ["returns a malformed result", () => ({ block: "yes" })],
  ])(
    "[HOOK-034] rejects the dispatch, and never allows, when a deny function %s",
    async (_what, deny) => {
      const diagnostics: HookDiagnostic[] = [];
      const runner = createHookRunner<Pick<TestMap, "check">>(
        { check: { ...definitions.check, deny: deny as never } },
        { onDiagnostic: (diagnostic) => diagnostics.push(diagnostic) },
      );
      runner.register({ name: "check", owner: "bad", source: "b", handler: boom });
      await expect(runner.decide("check", event, {})).rejects.toMatchObject({ code: "HOOK_THREW" });
      expect(diagnostics.map(({ code }) => code)).toEqual(["handler-failed", "deny-failed"]);
    },
  );

  it("lets a rewrite hook deny with any result", async () => {
    const runner = createHookRunner<Pick<TestMap, "build">>(
      {
        build: { ...definitions.build, failure: "closed", deny: () => ({ tags: [] }) },
      },
      { onDiagnostic: () => {} },
    );
    runner.register({ name: "build", owner: "bad", source: "b", handler: boom });
    expect(await runner.rewrite("build", { text: "", tags: ["a"] }, {})).toEqual({ tags: [] });
  });
});

describe("conditions", () => {
  it("[HOOK-033] skips the handler when the condition is falsy", async () => {
    const { runner } = createFixture();
    const calls: unknown[] = [];
    for (const verdict of [false, 0, "", null, undefined, true, 1, "yes"]) {
      runner.register({
        name: "send",
        owner: "a",
        source: "a",
        condition: () => verdict,
        handler: () => void calls.push(verdict),
      });
    }
    await runner.decide("send", { content: "" }, {});
    expect(calls).toEqual([true, 1, "yes"]);
    expect(runner.counters().hooks.send).toMatchObject({ skipped: 5, failed: {} });
  });

  it("[HOOK-033] passes the event and context of the call to the condition", async () => {
    const { runner } = createFixture();
    const seen: unknown[] = [];
    runner.register({
      name: "check",
      owner: "a",
      source: "a",
      condition: (given, ctx) => {
        seen.push([given.toolName, ctx.agentId, given.context === ctx]);
        given.params.touched = true;
        return true;
      },
      handler: ({ params }) => void seen.push(params),
    });
    await runner.decide("check", event, { agentId: "main" });
    expect(seen[0]).toEqual(["exec", "main", true]);
    expect(event.params).toEqual({});
  });

  it("[HOOK-033] treats a condition that throws or returns a promise as a failed handler: a closed gate denies", async () => {
    const { runner } = createFixture();
    let calls = 0;
    const handler = () => void calls++;
    const failing = runner.register({
      name: "check",
      owner: "a",
      source: "a",
      handler,
      condition: boom,
    });
    expect(await runner.detailed("check", event, {})).toMatchObject({
      outcome: "denied",
      failure: { code: "HOOK_CONDITION", attempts: 0 },
    });
    failing();
    const pending = runner.register({
      name: "check",
      owner: "a",
      source: "a",
      handler,
      condition: async () => Promise.reject(new Error("swallowed")),
    });
    expect(await runner.detailed("check", event, {})).toMatchObject({
      failure: {
        code: "HOOK_CONDITION",
        cause: { message: expect.stringContaining("synchronously") },
      },
    });
    pending();
    runner.register({
      name: "check",
      owner: "a",
      source: "a",
      handler,
      condition: boom,
      mode: "fail-open",
    });
    expect(await runner.decide("check", event, {})).toBeUndefined();
    runner.register({ name: "audited", owner: "a", source: "a", handler, condition: boom });
    await expect(runner.observe("audited", { id: "" }, {})).rejects.toMatchObject({
      code: "HOOK_CONDITION",
    });
    expect(calls).toBe(0);
    expect(runner.counters().registrations).toMatchObject(
      [
        { dispatched: 0, ok: 0, failed: { HOOK_CONDITION: 1 } },
        { dispatched: 0, ok: 0 },
      ].reverse(),
    );
  });
});

describe("PluginHookExecutionError", () => {
  it("[HOOK-032] carries owner, hook, kind and the next step", async () => {
    const { runner, clock } = createFixture();
    runner.register({ name: "gate", owner: "slow", source: "s", id: "slow gate", handler: hang });
    const dispatch = Promise.resolve(runner.decide("gate", { prompt: "" }, {})).catch(
      (thrown: unknown) => thrown,
    );
    await advance(clock, DEADLINE_MS + 30);
    const error = await dispatch;
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({
      name: "PluginHookExecutionError",
      code: "HOOK_TIMEOUT",
      pluginId: "slow",
      hookName: "gate",
      registrationId: "slow gate",
      mode: "fail-closed",
      attempts: 1,
      timeoutMs: DEADLINE_MS,
      errors: [],
    });
    expect((error as PluginHookExecutionError).durationMs).toBeGreaterThanOrEqual(DEADLINE_MS - 30);
    expect((error as Error).message).toBe(
      'Plugin "slow", hook "gate" (registration slow gate): its handler did not answer within ' +
        "1000 ms. Make the handler faster and let it heed ctx.signal, raise its timeoutMs, or set " +
        'onTimeout "fail-open".',
    );
    expect("cause" in (error as Error)).toBe(false);
  });
});
