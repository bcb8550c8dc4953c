import { inspect, isDeepStrictEqual } from "node:util";
import { describe, expect, it } from "vitest";
import type { HookContext, HookEvent } from "../../src/index.js";
import { type Check, createFixture, registerCheck } from "../support/fixture.js";

describe("context of a call", () => {
  it("[HOOK-037] belongs to one handler, has its owner's config, and is event.context", async () => {
    const { runner } = createFixture();
    runner.owner("a", { config: { level: 1, nested: { on: true } } });
    const logger = { debug() {}, info() {}, warn() {}, error() {} };
    runner.owner("b", { logger });
    const contexts: HookContext<Check>[] = [];
    const ofEvents: unknown[] = [];
    for (const owner of ["a", "b"]) {
      registerCheck(
        runner,
        (event, context) => {
          ofEvents.push(event.context);
          contexts.push(context);
        },
        owner,
      );
    }
    await runner.decide("check", { toolName: "x", params: {} }, { agentId: "main" });
    const [a, b] = contexts;
    expect(a).not.toBe(b);
    expect(ofEvents[0]).toBe(a);
    expect(ofEvents[1]).toBe(b);
    expect([a?.pluginId, a?.hookName, a?.agentId, a?.logger]).toEqual([
      "a",
      "check",
      "main",
      undefined,
    ]);
    expect(a?.pluginConfig).toEqual({ level: 1, nested: { on: true } });
    expect(Object.isFrozen(a?.pluginConfig)).toBe(true);
    expect(Object.isFrozen(a?.pluginConfig.nested)).toBe(true);
    expect([b?.pluginId, b?.logger]).toEqual(["b", logger]);
    expect(b?.pluginConfig).toEqual({});
  });

  it("[HOOK-037] leaves the caller's event and context without new properties", async () => {
    const { runner } = createFixture();
    const event = Object.freeze({ toolName: "x", params: Object.freeze({}) });
    const context = Object.freeze({ agentId: "main" });
    registerCheck(runner, (given, ctx) => {
      void ctx.signal;
      Object.assign(given, { extra: 1 });
      Object.assign(ctx, { extra: 1 });
      return { params: { rewritten: true } };
    });
    await runner.decide("check", event, context);
    expect(event).toEqual({ toolName: "x", params: {} });
    expect(context).toEqual({ agentId: "main" });
  });

  it("takes a config change in new dispatches and leaves the caller's object unfrozen", async () => {
    const { runner } = createFixture();
    const config = { level: 1 };
    const seen: unknown[] = [];
    registerCheck(runner, (_event, { pluginConfig }) => void seen.push(pluginConfig.level));
    const event = { toolName: "x", params: {} };
    runner.owner("a", { config });
    await runner.decide("check", event, {});
    config.level = 2;
    await runner.decide("check", event, {});
    runner.owner("a", { config });
    await runner.decide("check", event, {});
    expect(seen).toEqual([1, 1, 2]);
  });
});

describe("events and contexts as plain objects", () => {
  const fields = { toolName: "x", params: { n: 1, list: ["a"] }, channel: undefined };
  const given = { agentId: "main", details: { level: 1, tags: [] } };
  const ownFields = { ...given, pluginId: "a", hookName: "check", pluginConfig: {} };

  /** Runs `inspectCall` in a handler, where what it throws fails the test. */
  async function inHandler(
    inspectCall: (event: HookEvent<Check>, context: HookContext<Check>) => void,
  ): Promise<void> {
    const { runner } = createFixture();
    const logger = { debug() {}, info() {}, warn() {}, error() {} };
    runner.owner("a", { logger });
    let failure: unknown = new Error("the handler was not called");
    registerCheck(runner, (event, context) => {
      try {
        inspectCall(event, context);
        failure = undefined;
      } catch (error) {
        failure = error;
      }
    });
    await runner.decide("check", fields as never, given);
    if (failure !== undefined) throw failure;
  }

  it("[HOOK-037] list exactly the fields: keys, spread, JSON, clone, inspect, deep equality", async () => {
    await inHandler((event, context) => {
      for (const [object, expected] of [
        [event, fields],
        [context, ownFields],
      ] as const) {
        expect(Object.keys(object)).toEqual(Object.keys(expected));
        expect({ ...object }).toStrictEqual(expected);
        expect(JSON.stringify(object)).toBe(JSON.stringify(expected));
        expect(structuredClone(object)).toStrictEqual(expected);
        expect(inspect(object)).toBe(inspect(expected));
        expect(object).toStrictEqual(expected);
        expect(isDeepStrictEqual(object, expected)).toBe(true);
        for (const name of Object.keys(expected)) {
          expect(Object.getOwnPropertyDescriptor(object, name)).toMatchObject({
            value: expected[name as keyof typeof expected],
            writable: true,
            enumerable: true,
          });
        }
        expect("absent" in object).toBe(false);
        expect(String(object)).toBe("[object Object]");
      }
      expect(Object.getPrototypeOf(event)).toBe(Object.prototype);
      expect(context.constructor).toBe(Object);
    });
  });

  it("[HOOK-037] report `context` with `in` but not among the keys", async () => {
    await inHandler((event, context) => {
      const names = Object.getOwnPropertyNames(event);
      const unlisted = names.filter((name) => !Object.keys(event).includes(name));
      expect(unlisted).toEqual(["context"]);
      expect("context" in event).toBe(true);
      expect(event.context).toBe(context);
    });
  });

  it("provide signal and logger outside the listed fields", async () => {
    await inHandler((_event, context) => {
      expect(context.signal).toBeInstanceOf(AbortSignal);
      expect(context.signal).toBe(context.signal);
      expect(context.logger?.info).toBeTypeOf("function");
      expect(Object.keys(context)).toEqual(Object.keys(ownFields));
    });
  });

  it("keep the call's `signal` and `logger` over those of the dispatch", async () => {
    const { runner } = createFixture();
    let seen: unknown[] = [];
    registerCheck(runner, (_event, context) => {
      seen = [context.signal instanceof AbortSignal, context.logger, Object.keys(context)];
    });
    const context = { signal: "theirs", logger: "theirs" };
    await runner.decide("check", { toolName: "x", params: {} }, context as never);
    expect(seen).toEqual([true, undefined, ["pluginId", "hookName", "pluginConfig"]]);
  });

  it("omit the event's own `context` and `__proto__`", async () => {
    const { runner } = createFixture();
    let seen: unknown[] = [];
    registerCheck(runner, (event, context) => {
      seen = [event.context === context, Object.keys(event), "polluted" in event];
    });
    const event = JSON.parse('{"context":1,"__proto__":{"polluted":1},"toolName":"x","params":{}}');
    await runner.decide("check", event, {});
    expect(seen).toEqual([true, ["toolName", "params"], false]);
  });

  it("can be passed on: a nested dispatch sees their fields", async () => {
    const { runner } = createFixture();
    const seen: unknown[] = [];
    runner.register({
      name: "audited",
      owner: "inner",
      source: "i",
      handler: (event, context) => {
        seen.push(event.id, context.agentId, context.pluginId);
      },
    });
    runner.register({
      name: "seen",
      owner: "outer",
      source: "o",
      handler: async (event, context) => {
        event.id = "mine";
        await runner.observe("audited", event, context);
      },
    });
    await runner.observe("seen", { id: "1" }, { agentId: "main" });
    expect(seen).toEqual(["mine", "main", "inner"]);
  });
});
