import { describe, expect, it } from "vitest";
import { createFixture } from "../support/fixture.js";

describe("nested dispatches", () => {
  it("[HOOK-039] allow the same hook up to depth 8, and fail beyond it, naming the cycle", async () => {
    const { runner } = createFixture();
    let depth = 0;
    let deepest = 0;
    runner.register({
      name: "gate",
      owner: "loop",
      source: "l",
      handler: async () => {
        depth += 1;
        deepest = Math.max(deepest, depth);
        await runner.decide("gate", { prompt: "" }, {});
        return undefined;
      },
    });
    const error = await Promise.resolve(runner.decide("gate", { prompt: "" }, {})).catch(
      (thrown: unknown) => thrown,
    );
    expect(deepest).toBe(8);
    let innermost = error as Error & { cause?: Error };
    while (innermost.cause instanceof Error) innermost = innermost.cause as typeof innermost;
    expect(innermost).toMatchObject({ code: "HOOK_THREW", pluginId: "loop", hookName: "gate" });
    expect(innermost.message).toContain("more than 8 deep");
    expect(innermost.message.match(/gate \(plugin "loop"\) →/g)).toHaveLength(8);
  });

  it("[HOOK-039] name every hook of a cycle", async () => {
    const { runner } = createFixture();
    const failures: string[] = [];
    runner.trace(({ error, outcome }) => {
      if (outcome === "failed" && error?.attempts === 0) failures.push(error.message);
    });
    runner.register({
      name: "seen",
      owner: "a",
      source: "a",
      mode: "fail-closed",
      handler: (_event, context) => runner.decide("send", { content: "" }, context),
    });
    runner.register({
      name: "send",
      owner: "b",
      source: "b",
      mode: "fail-closed",
      handler: async (_event, context) => {
        await runner.observe("seen", { id: "1" }, context);
      },
    });
    await runner.observe("seen", { id: "1" }, {}).catch(() => {});
    expect(failures[0]).toContain('seen (plugin "a") → send (plugin "b") → seen (plugin "a")');
  });

  it("[HOOK-039] detect a cycle after an await when the handler passes its context on", async () => {
    const { runner } = createFixture();
    let calls = 0;
    runner.register({
      name: "gate",
      owner: "loop",
      source: "l",
      handler: async (_event, context) => {
        await Promise.resolve();
        calls += 1;
        await runner.decide("gate", { prompt: "" }, context);
        return undefined;
      },
    });
    await expect(runner.decide("gate", { prompt: "" }, {})).rejects.toMatchObject({
      code: "HOOK_THREW",
    });
    expect(calls).toBe(8);
  });

  it("[HOOK-039] are limited for sync hooks and retried handlers; deep paths over other hooks are allowed", () => {
    const { runner } = createFixture();
    let depth = 0;
    runner.register({
      name: "stamp",
      owner: "loop",
      source: "l",
      mode: "fail-closed",
      handler: () => {
        depth += 1;
        return runner.sync("stamp", { line: "" }, {});
      },
    });
    expect(() => runner.sync("stamp", { line: "" }, {})).toThrow(/fail-open/);
    expect(depth).toBe(8);
  });

  it("count the dispatches of a retried handler", async () => {
    const { runner } = createFixture();
    let calls = 0;
    runner.register({
      name: "seen",
      owner: "loop",
      source: "l",
      mode: "fail-closed",
      maxConcurrency: 100,
      handler: () => {
        calls += 1;
        return runner.observe("seen", { id: "1" }, {});
      },
    });
    await expect(runner.observe("seen", { id: "1" }, {})).rejects.toMatchObject({
      pluginId: "loop",
    });
    expect(calls).toBe(8);
  });

  it("do not count paths of eight calls through other hooks against a hook", async () => {
    const { runner } = createFixture();
    let level = 0;
    let reached = false;
    runner.register({
      name: "seen",
      owner: "a",
      source: "a",
      mode: "fail-closed",
      handler: async () => {
        level += 1;
        if (level < 8) await runner.observe("seen", { id: "1" }, {});
        else await runner.observe("audited", { id: "1" }, {});
      },
    });
    runner.register({
      name: "audited",
      owner: "b",
      source: "b",
      handler: () => {
        reached = true;
      },
    });
    await runner.observe("seen", { id: "1" }, {});
    expect(reached).toBe(true);
  });
});
