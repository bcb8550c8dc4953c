import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import type { HookContext, HookEvent } from "../../src/index.js";
import { createFixture, hang, type TestMap } from "../support/fixture.js";

type Check = TestMap["check"];
type Runner = ReturnType<typeof createFixture>["runner"];

function registerCheck(
  runner: Runner,
  handler: (event: HookEvent<Check>, context: HookContext<Check>) => unknown,
  owner = "a",
): void {
  runner.register({ name: "check", owner, source: owner, handler: handler as () => void });
}

describe("the context of a call", () => {
  it("[HOOK-037] is the handler's own, with its owner's config, and event.context is it", async () => {
    const { runner } = createFixture();
    runner.owner("a", { config: { level: 1, nested: { on: true } } });
    const logger = { debug() {}, info() {}, warn() {}, error() {} };
    runner.owner("b", { logger });
    const contexts: HookContext<Check>[] = [];
    for (const owner of ["a", "b"]) {
      registerCheck(
        runner,
        (event, context) => {
          expect(event.context).toBe(context);
          contexts.push(context);
        },
        owner,
      );
    }
    await runner.decide("check", { toolName: "x", params: {} }, { agentId: "main" });
    const [a, b] = contexts;
    expect(a).not.toBe(b);
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

  it("[HOOK-037] the caller's event and context gain no property", async () => {
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

  it("a change of config takes effect for new dispatches, and the caller's object stays unfrozen", async () => {
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

describe("isolation", () => {
  it("[HOOK-038] what a handler writes at any depth reaches no other handler and not the caller", async () => {
    const { runner } = createFixture();
    const event = { toolName: "x", params: { list: [{ n: 1 }], deep: { a: { b: 1 } } } };
    const context = { details: { level: 1, tags: ["a"] } };
    const seen: unknown[] = [];
    for (const owner of ["a", "b"]) {
      registerCheck(
        runner,
        (given, ctx) => {
          seen.push(structuredClone([given.toolName, given.params, ctx.details]));
          const params = given.params as typeof event.params;
          params.list.push({ n: 2 });
          params.deep.a.b = 2;
          given.toolName = "changed";
          given.params = { replaced: true };
          expect(given.params).toEqual({ replaced: true });
          ctx.details?.tags.push("b");
          ctx.agentId = "changed";
          expect([given.toolName, ctx.agentId]).toEqual(["changed", "changed"]);
        },
        owner,
      );
    }
    await runner.decide("check", event, context);
    const expected = ["x", { list: [{ n: 1 }], deep: { a: { b: 1 } } }, { level: 1, tags: ["a"] }];
    expect(seen).toEqual([expected, expected]);
    expect(event).toEqual({ toolName: "x", params: { list: [{ n: 1 }], deep: { a: { b: 1 } } } });
    expect(context).toEqual({ details: { level: 1, tags: ["a"] } });
  });

  it("[HOOK-038] a copy is made once per handler that reads it, and only then", async () => {
    const { runner } = createFixture();
    let reads = 0;
    const params = {
      get value() {
        reads += 1;
        return 1;
      },
    };
    registerCheck(runner, () => {});
    registerCheck(
      runner,
      (event) => {
        const first = event.params;
        const second = event.params;
        // Compared outside of `expect`, which would read the getter once more.
        expect(first === second && first !== params).toBe(true);
      },
      "b",
    );
    await runner.decide("check", { toolName: "x", params }, {});
    expect(reads).toBe(1);
  });

  it("[HOOK-038] only the result counts, as it was when returned", async () => {
    const { runner } = createFixture();
    const returned = { params: { n: 1, list: [1] } };
    registerCheck(runner, async () => returned);
    let seen: unknown;
    registerCheck(
      runner,
      async (event) => {
        returned.params.n = 99;
        returned.params.list.push(99);
        seen = event.params;
        (event.params as { n: number }).n = 5;
      },
      "b",
    );
    const result = await runner.decide("check", { toolName: "x", params: {} }, {});
    expect(seen).toEqual({ n: 5, list: [1] });
    expect(result).toEqual({ params: { n: 1, list: [1] } });
  });

  it("[HOOK-038] frozen fields are shared and throw on write", async () => {
    const { runner } = createFixture();
    const history = [{ text: "one" }];
    const seen: unknown[] = [];
    for (const owner of ["a", "b"]) {
      registerCheck(
        runner,
        (event) => {
          seen.push(event.history);
          expect(() => (event.history as { text: string }[]).push({ text: "two" })).toThrow(
            TypeError,
          );
          expect(() => {
            (event.history as { text: string }[])[0] = { text: "x" };
          }).toThrow(TypeError);
          const first = event.history?.[0] as { text: string };
          expect(() => {
            first.text = "x";
          }).toThrow(TypeError);
          expect(() => {
            event.history = [];
          }).toThrow(/field "history" of hook "check" is frozen; return a result/);
        },
        owner,
      );
    }
    await runner.decide("check", { toolName: "x", params: {}, history }, {});
    expect(seen[0]).toBe(history);
    expect(seen[1]).toBe(history);
  });

  it("[HOOK-038] frozen data with parts that cannot be frozen is copied for each handler instead", async () => {
    const { runner } = createFixture();
    const at = new Date(0);
    const history = [{ text: "one", at }];
    const seen: { at: Date }[][] = [];
    for (const owner of ["a", "b"]) {
      registerCheck(
        runner,
        (event) => {
          const given = event.history as unknown as { text: string; at: Date }[];
          seen.push(given);
          given[0]?.at.setTime(5);
          expect(() => given.push({ text: "x", at })).toThrow(TypeError);
        },
        owner,
      );
    }
    await runner.decide("check", { toolName: "x", params: {}, history: history as never }, {});
    expect(at.getTime()).toBe(0);
    expect(seen[0]).not.toBe(seen[1]);
    expect(seen[1]?.[0]?.at.getTime()).toBe(5);
  });

  it("[HOOK-038] fields without isolation are copied when anything in them can be written", async () => {
    const { runner } = createFixture();
    const seen: object[] = [];
    runner.register({
      name: "seen",
      owner: "a",
      source: "a",
      handler: ({ data }) => void seen.push(data ?? {}),
    });
    class Service {}
    const given = [
      new Map(),
      new Set(),
      new ArrayBuffer(1),
      new Uint8Array(1),
      new Service(),
      Object.freeze({ service: new Service(), when: null }),
    ].map((held) => Object.freeze({ held }));
    for (const data of given) await runner.observe("seen", { id: "1", data }, {});
    expect(seen.map((data, index) => data === given[index])).toEqual([
      false,
      false,
      false,
      false,
      true,
      true,
    ]);
  });

  it("[HOOK-038] fields without isolation are shared when frozen in depth, copied otherwise", async () => {
    const { runner } = createFixture();
    const frozen = Object.freeze({ inner: Object.freeze({ a: 1 }) });
    const halfFrozen = Object.freeze({ inner: { a: 1 } });
    const seen: unknown[] = [];
    runner.register({
      name: "seen",
      owner: "a",
      source: "a",
      handler: ({ data }) => void seen.push(data),
    });
    for (const data of [frozen, halfFrozen, frozen])
      await runner.observe("seen", { id: "1", data }, {});
    expect(seen[0]).toBe(frozen);
    expect(seen[1]).not.toBe(halfFrozen);
    expect(seen[1]).toEqual(halfFrozen);
    expect(seen[2]).toBe(frozen);
  });

  it("[HOOK-038] opaque values pass as they are, plain data of every kind is copied", async () => {
    const { runner } = createFixture();
    class Service {
      calls = 0;
    }
    const shared = { n: 1 };
    const cyclic: Record<string, unknown> = { name: "loop", shared, again: shared };
    cyclic.self = cyclic;
    const bare = Object.assign(Object.create(null), { a: { b: 1 } });
    const params = {
      fn: () => 1,
      service: new Service(),
      stream: new ReadableStream(),
      date: new Date(1),
      map: new Map<unknown, unknown>([
        ["k", { v: 1 }],
        [{ key: 1 }, 2],
      ]),
      set: new Set<unknown>([{ v: 1 }, 2]),
      bytes: new Uint8Array([1, 2]),
      buffer: Buffer.from("ab"),
      raw: new Uint8Array([3]).buffer,
      view: new DataView(new Uint8Array([7, 8, 9]).buffer, 1, 1),
      cyclic,
      bare,
      nothing: null,
    };
    let copy: typeof params | undefined;
    registerCheck(runner, (event) => {
      copy = event.params as typeof params;
    });
    await runner.decide("check", { toolName: "x", params }, {});
    if (copy === undefined) throw new Error("not called");
    for (const key of ["fn", "service", "stream"] as const) expect(copy[key]).toBe(params[key]);
    for (const key of [
      "date",
      "map",
      "set",
      "bytes",
      "buffer",
      "raw",
      "bare",
      "nothing",
    ] as const) {
      expect(copy[key]).toEqual(params[key]);
      if (params[key] !== null) expect(copy[key]).not.toBe(params[key]);
    }
    expect(copy.cyclic.self).toBe(copy.cyclic);
    expect(copy.cyclic.shared).toBe(copy.cyclic.again);
    expect(copy.cyclic.shared).not.toBe(shared);
    expect([...copy.map.values()][0]).not.toBe([...params.map.values()][0]);
    expect([...copy.set][0]).not.toBe([...params.set][0]);
    copy.buffer[0] = 0;
    expect(params.buffer.toString()).toBe("ab");
    expect([copy.view.byteLength, copy.view.getUint8(0)]).toEqual([1, 8]);
    expect(Object.getPrototypeOf(copy.bare)).toBe(null);
    expect(copy.bare.a).not.toBe(bare.a);
  });

  it("[HOOK-038] an own __proto__ is left out, and sets nothing", async () => {
    const { runner } = createFixture();
    let copy: object = {};
    registerCheck(runner, (event) => {
      copy = event.params;
    });
    await runner.decide(
      "check",
      { toolName: "x", params: JSON.parse('{"__proto__":{"a":1},"b":2}') },
      {},
    );
    expect(copy).toEqual({ b: 2 });
    expect((copy as { a?: number }).a).toBeUndefined();
  });

  it("[HOOK-038] a handler that was given up keeps seeing the event it was called with", async () => {
    const { runner, clock } = createFixture();
    let read = () => "";
    runner.register({
      name: "send",
      owner: "slow",
      source: "s",
      handler: (event) => {
        read = () => event.content;
        return hang();
      },
    });
    runner.register({
      name: "send",
      owner: "b",
      source: "b",
      handler: () => ({ content: "rewritten" }),
    });
    const result = runner.decide("send", { content: "original" }, {});
    clock.advance(1_030);
    await result;
    expect(read()).toBe("original");
  });
});

describe("views", () => {
  it("read like plain objects: by field, destructured, as JSON, inspected", async () => {
    const { runner } = createFixture();
    let checked = false;
    registerCheck(runner, (event, context) => {
      const { toolName, params } = event;
      expect([toolName, params]).toEqual(["x", { n: 1 }]);
      expect(event.toJSON()).toEqual({ toolName: "x", params: { n: 1 }, channel: undefined });
      expect(JSON.parse(JSON.stringify(event))).toEqual({ toolName: "x", params: { n: 1 } });
      expect(JSON.parse(JSON.stringify(context))).toEqual({
        agentId: "main",
        details: { level: 1, tags: [] },
        pluginId: "a",
        hookName: "check",
        pluginConfig: {},
      });
      expect(inspect(event)).toContain("toolName: 'x'");
      expect(inspect(context)).toContain("agentId: 'main'");
      expect(event.toJSON().params).toBe(event.params);
      expect(event).toMatchObject({ toolName: "x", params: { n: 1 } });
      expect(context).toMatchObject({ agentId: "main", pluginId: "a" });
      expect(event).not.toMatchObject({ toolName: "y" });
      checked = true;
    });
    await runner.decide("check", { toolName: "x", params: { n: 1 }, channel: undefined } as never, {
      agentId: "main",
      details: { level: 1, tags: [] },
    });
    expect(checked).toBe(true);
  });

  it("answer for every name: absent fields are undefined, methods of objects stay", async () => {
    const { runner } = createFixture();
    let checked = false;
    registerCheck(runner, async (event, context) => {
      const loose = event as unknown as Record<string, unknown>;
      expect(loose.neverSeenBefore).toBeUndefined();
      expect("neverSeenBefore" in loose).toBe(true);
      loose.neverSeenBefore = 1;
      expect(loose.neverSeenBefore).toBe(1);
      expect(String(event)).toBe("[object Object]");
      expect(Object.hasOwn(event, "toolName")).toBe(false);
      expect(Object.keys(event)).toEqual(["neverSeenBefore"]);
      expect({ ...context }).toEqual({});
      expect(event).toBeInstanceOf(Object);
      expect(Object.hasOwn(Object.getPrototypeOf(Object.getPrototypeOf(event)), "toString")).toBe(
        false,
      );
      expect((Object.getPrototypeOf(event) as Record<string, unknown>).anything).toBeUndefined();
      expect((Object.getPrototypeOf(context) as Record<string, unknown>).anything).toBeUndefined();
      expect((loose as { [Symbol.iterator]?: unknown })[Symbol.iterator]).toBeUndefined();
      await event;
      checked = true;
    });
    await runner.decide("check", { toolName: "x", params: {} }, {});
    expect(checked).toBe(true);
  });

  it("a field may be written before it is ever read, and set again", async () => {
    const { runner } = createFixture();
    let checked = false;
    runner.register({
      name: "seen",
      owner: "a",
      source: "a",
      handler: (event) => {
        const loose = event as unknown as Record<string, unknown>;
        loose.writtenFirst = "mine";
        expect(loose.writtenFirst).toBe("mine");
        loose.writtenFirst = "again";
        expect(loose.writtenFirst).toBe("again");
        checked = true;
      },
    });
    await runner.observe("seen", { id: "1", writtenFirst: "theirs" } as never, {});
    expect(checked).toBe(true);
  });

  it("stay right with more field names than they keep accessors for", async () => {
    const { runner } = createFixture();
    const wrong: string[] = [];
    runner.register({
      name: "seen",
      owner: "a",
      source: "a",
      handler: (event, context) => {
        for (const side of [event, context] as unknown as Record<string, unknown>[]) {
          for (let index = 0; index < 1_100; index += 1) {
            const name = `field${index}`;
            if (side[name] !== index) wrong.push(name);
            side[name] = -index;
            if (side[name] !== -index) wrong.push(`${name} written`);
          }
        }
      },
    });
    const many = Object.fromEntries(
      Array.from({ length: 1_100 }, (_, index) => [`field${index}`, index]),
    );
    await runner.observe("seen", { id: "1", ...many }, many as object);
    await runner.observe("seen", { id: "1", ...many }, many as object);
    expect(wrong).toEqual([]);
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

  it("looks to assertion libraries like an object that has the fields it is asked for", async () => {
    const { runner } = createFixture();
    let seen: object = {};
    runner.register({
      name: "send",
      owner: "a",
      source: "a",
      handler: (event) => {
        seen = event;
      },
    });
    await runner.decide("send", { content: "hi" }, {});
    expect(seen).toHaveProperty("content", "hi");
    const chain: object[] = [];
    for (let each: object | null = seen; each !== null; each = Object.getPrototypeOf(each)) {
      chain.push(each);
    }
    const owners = (name: string) =>
      chain.filter((each) => Object.getOwnPropertyDescriptor(each, name) !== undefined);
    expect(owners("toString")).toEqual([Object.prototype]);
    expect(owners("readByNobodyYet")).toHaveLength(1);
  });
});
