import { describe, expect, it } from "vitest";
import { createFixture, settle } from "../support/fixture.js";

const message = { role: "user", text: "hi" };

describe("sync hooks", () => {
  it("[HOOK-014] return their value, not a promise, each handler seeing the one before", () => {
    const { runner } = createFixture();
    for (const mark of ["a", "b"]) {
      runner.register({
        name: "write",
        owner: mark,
        source: mark,
        handler: ({ message: { role, text } }) => ({ message: { role, text: text + mark } }),
      });
    }
    expect(runner.sync("write", { message }, {})).toEqual({
      message: { role: "user", text: "hiab" },
    });
    expect(runner.sync("stamp", { line: "" }, {})).toBeUndefined();
  });

  it("[HOOK-014] drop a promise, log its rejection, and name the owner once", async () => {
    const { runner, diagnostics } = createFixture();
    runner.register({
      name: "write",
      owner: "async",
      source: "async.ts",
      handler: (async () => {
        throw new Error("unseen");
      }) as never,
    });
    runner.register({
      name: "write",
      owner: "good",
      source: "good.ts",
      handler: () => ({ message }),
    });
    for (let count = 0; count < 3; count += 1) {
      expect(runner.sync("write", { message }, {})).toEqual({ message });
    }
    await settle();
    expect(diagnostics.map(({ code, owner }) => `${code} ${owner}`)).toEqual([
      "sync-returned-promise async",
      "handler-failed async",
      "handler-failed async",
      "handler-failed async",
    ]);
  });

  it("stop at a terminal result, and skip by scope and condition", () => {
    const { runner } = createFixture();
    const calls: string[] = [];
    const add = (owner: string, options: object) =>
      runner.register({
        name: "write",
        owner,
        source: owner,
        handler: () => {
          calls.push(owner);
          return owner === "blocker" ? { block: true } : undefined;
        },
        ...options,
      });
    add("other agent", { scope: { agentIds: ["other"] } });
    add("never", { condition: () => false });
    add("blocker", {});
    add("after", {});
    expect(runner.sync("write", { message }, { agentId: "main" })).toEqual({ block: true });
    expect(calls).toEqual(["blocker"]);
    expect(runner.counters().hooks.write.skipped).toBe(2);
  });

  it("[HOOK-015] return undefined when no handler is in scope", () => {
    const { runner } = createFixture();
    runner.register({
      name: "stamp",
      owner: "a",
      source: "a",
      handler: () => ({ line: "never" }),
      scope: { agentIds: ["other"] },
    });
    for (let count = 0; count < 12; count += 1) {
      expect(runner.sync("stamp", { line: "" }, { agentId: "main" })).toBeUndefined();
    }
    expect(runner.counters().hooks.stamp).toMatchObject({ dispatched: 12, ok: 12 });
  });

  it("[HOOK-030] deny on a failure where they fail closed, and throw where there is no denial", () => {
    const { runner } = createFixture();
    const boom = () => {
      throw new Error("boom");
    };
    runner.register({ name: "write", owner: "a", source: "a", handler: boom });
    expect(runner.sync("write", { message }, {})).toEqual({ block: true });
    runner.register({ name: "stamp", owner: "b", source: "b", handler: boom, mode: "fail-closed" });
    expect(() => runner.sync("stamp", { line: "" }, {})).toThrow(
      expect.objectContaining({ code: "HOOK_THREW", pluginId: "b" }),
    );
  });

  it("[HOOK-033] a condition that throws fails the handler under its mode", () => {
    const { runner } = createFixture();
    runner.register({
      name: "write",
      owner: "a",
      source: "a",
      handler: () => {},
      condition: () => {
        throw new Error("boom");
      },
    });
    expect(runner.sync("write", { message }, {})).toEqual({ block: true });
    expect(runner.counters().hooks.write.failed).toEqual({ HOOK_CONDITION: 1 });
  });

  it("[HOOK-027] report a handler above 50 ms with its duration", () => {
    const { runner, clock, diagnostics } = createFixture();
    runner.register({
      name: "stamp",
      owner: "slow",
      source: "slow.ts",
      handler: () => clock.stall(51),
    } as never);
    runner.register({
      name: "stamp",
      owner: "quick",
      source: "quick.ts",
      handler: () => clock.stall(50),
    } as never);
    runner.sync("stamp", { line: "" }, {});
    expect(diagnostics).toEqual([
      expect.objectContaining({ code: "slow-sync-handler", level: "warn", owner: "slow" }),
    ]);
    expect(diagnostics[0]?.message).toContain("51 ms");
  });

  it("[HOOK-027] detect a handler that turns slow later once it blocked the event loop", async () => {
    const { runner, clock, diagnostics } = createFixture();
    let slow = false;
    runner.register({
      name: "stamp",
      owner: "later",
      source: "l.ts",
      handler: () => {
        if (slow) clock.stall(80);
      },
    });
    for (let count = 0; count < 20; count += 1) runner.sync("stamp", { line: "" }, {});
    // A dispatch is in flight, so the ticks detect the blocked loop.
    runner.register({
      name: "seen",
      owner: "o",
      source: "o",
      handler: () => new Promise(() => {}),
    });
    void runner.observe("seen", { id: "1" }, {});
    slow = true;
    runner.sync("stamp", { line: "" }, {});
    clock.advance(15);
    runner.sync("stamp", { line: "" }, {});
    expect(diagnostics.map(({ code }) => code)).toEqual(["slow-sync-handler"]);
  });
});
