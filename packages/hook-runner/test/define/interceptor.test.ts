import { describe, expect, it } from "vitest";
import { createFixture } from "../support/fixture.js";

describe("interceptors", () => {
  it("[HOOK-049] wrap every handler of one owner and of no other", async () => {
    const { runner } = createFixture();
    const log: string[] = [];
    runner.register({
      name: "send",
      owner: "a",
      source: "a",
      id: "x",
      handler: async () => ({ content: "a" }),
    });
    runner.register({ name: "send", owner: "b", source: "b", handler: () => void log.push("b") });
    const given: unknown[] = [];
    const remove = runner.intercept("a", async ({ registration, event, context }, next) => {
      log.push(`${registration.id} of ${registration.hook}`);
      given.push((event as { content: string }).content);
      given.push((context as { pluginId: string }).pluginId);
      const result = await next();
      return { content: `${(result as { content: string }).content}!` };
    });
    expect(await runner.decide("send", { content: "in" }, {})).toEqual({ content: "a!" });
    expect(log).toEqual(["x of send", "b"]);
    expect(given).toEqual(["in", "a"]);
    remove();
    remove();
    expect(await runner.decide("send", { content: "in" }, {})).toEqual({ content: "a" });
  });

  it("[HOOK-049] count an interceptor's throw as the handler's; the last one installed is outermost", async () => {
    const { runner } = createFixture();
    const log: string[] = [];
    const handler = () => void log.push("handler");
    runner.register({ name: "check", owner: "a", source: "a", handler });
    const around = (name: string) => (_call: unknown, next: () => unknown) => {
      log.push(name);
      return next();
    };
    runner.intercept("a", around("inner"));
    runner.intercept("a", around("outer"));
    await runner.decide("check", { toolName: "x", params: {} }, {});
    expect(log).toEqual(["outer", "inner", "handler"]);
    const chaos = runner.intercept("a", () => {
      throw new Error("chaos");
    });
    expect(await runner.detailed("check", { toolName: "x", params: {} }, {})).toMatchObject({
      outcome: "denied",
      failure: { code: "HOOK_THREW", cause: { message: "chaos" } },
    });
    chaos();
    expect((await runner.detailed("check", { toolName: "x", params: {} }, {})).outcome).toBe(
      "completed",
    );
  });

  it("wrap twice when installed twice, and each can be removed alone", async () => {
    const { runner } = createFixture();
    let calls = 0;
    const count = (_call: unknown, next: () => unknown) => {
      calls += 1;
      return next();
    };
    runner.register({ name: "seen", owner: "a", source: "a", handler: () => {} });
    const first = runner.intercept("a", count);
    runner.intercept("a", count);
    await runner.observe("seen", { id: "1" }, {});
    expect(calls).toBe(2);
    first();
    await runner.observe("seen", { id: "2" }, {});
    expect(calls).toBe(3);
  });
});
