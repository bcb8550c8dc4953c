import { describe, expect, it } from "vitest";
import { createHookRunner } from "../../src/index.js";
import { createFixture, hang, registerCheck } from "../support/fixture.js";

describe("isolation of events and contexts", () => {
  it("[HOOK-038] gives handlers no shared object that one of them could change", async () => {
    const { runner } = createFixture();
    const seen: unknown[] = [];
    for (const owner of ["a", "b"]) {
      registerCheck(
        runner,
        (_event, ctx) => {
          seen.push("planted" in ctx);
          Reflect.set(Object.getPrototypeOf(ctx), "planted", true);
        },
        owner,
      );
    }
    await runner.decide("check", { toolName: "x", params: {} }, {});
    expect(seen).toEqual([false, false]);
  });

  it("[HOOK-038] keeps a handler's writes, at any depth, from other handlers and the caller", async () => {
    const { runner } = createFixture();
    const event = { toolName: "x", params: { list: [{ n: 1 }], deep: { a: { b: 1 } } } };
    const context = { details: { level: 1, tags: ["a"] } };
    const seen: unknown[] = [];
    const own: unknown[] = [];
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
          ctx.details?.tags.push("b");
          ctx.agentId = "changed";
          own.push([given.params, given.toolName, ctx.agentId]);
        },
        owner,
      );
    }
    await runner.decide("check", event, context);
    const expected = ["x", { list: [{ n: 1 }], deep: { a: { b: 1 } } }, { level: 1, tags: ["a"] }];
    expect(seen).toEqual([expected, expected]);
    const changed = [{ replaced: true }, "changed", "changed"];
    expect(own).toEqual([changed, changed]);
    expect(event).toEqual({ toolName: "x", params: { list: [{ n: 1 }], deep: { a: { b: 1 } } } });
    expect(context).toEqual({ details: { level: 1, tags: ["a"] } });
  });

  it("[HOOK-038] copies before a handler runs, once per handler", async () => {
    const { runner } = createFixture();
    const params = { list: [1] };
    const copies: unknown[] = [];
    const isOne: boolean[] = [];
    for (const owner of ["a", "b"]) {
      registerCheck(
        runner,
        (event) => {
          params.list.push(2);
          copies.push(event.params);
          isOne.push(Object.is(event.params, event.params));
        },
        owner,
      );
    }
    await runner.decide("check", { toolName: "x", params }, {});
    expect(copies).toEqual([{ list: [1] }, { list: [1, 2] }]);
    expect(isOne).toEqual([true, true]);
  });

  it("[HOOK-038] hides the changes of one attempt from its retry", async () => {
    const { runner } = createFixture();
    const seen: unknown[] = [];
    runner.register({
      name: "check",
      owner: "a",
      source: "a",
      retry: { count: 1, backoffMs: 0 },
      handler: (event, context) => {
        seen.push(structuredClone([event, context]));
        event.toolName = "changed";
        event.params.deep = { changed: true };
        context.agentId = "changed";
        if (seen.length === 1) throw new Error("again");
      },
    });
    await runner.decide("check", { toolName: "x", params: { deep: {} } }, { agentId: "main" });
    expect(seen).toHaveLength(2);
    expect(seen[1]).toEqual(seen[0]);
  });

  it("[HOOK-038] hides changes made by a condition from its handler", async () => {
    const { runner } = createFixture();
    const seen: unknown[] = [];
    runner.register({
      name: "check",
      owner: "a",
      source: "a",
      condition: (event, context) => {
        event.toolName = "changed";
        context.agentId = "changed";
        return true;
      },
      handler: (event, context) => void seen.push(event.toolName, context.agentId),
    });
    await runner.decide("check", { toolName: "x", params: {} }, { agentId: "main" });
    expect(seen).toEqual(["x", "main"]);
  });

  it("[HOOK-038] shares frozen items in an array that belongs to the handler", async () => {
    const log = { messages: [{ text: "one", at: { line: 1 } }, "plain"] };
    const runner = createHookRunner<{
      read: {
        kind: "observe";
        event: { messages: (string | { text: string; at: { line: number } })[] };
        context: object;
        result: undefined;
      };
    }>({
      read: {
        kind: "observe",
        deadlineMs: 1_000,
        failure: "open",
        isolate: { messages: "frozen-items" },
      },
    });
    const seen: unknown[][] = [];
    const thrown: unknown[] = [];
    for (const owner of ["a", "b"]) {
      runner.register({
        name: "read",
        owner,
        source: owner,
        handler: ({ messages }) => {
          seen.push([...messages]);
          const [first] = messages;
          if (typeof first !== "object") throw new Error("there is no message");
          thrown.push(
            errorOf(() => {
              first.text = "changed";
            }),
            errorOf(() => {
              first.at.line = 2;
            }),
          );
          messages.push("mine");
          messages.shift();
        },
      });
    }
    await runner.observe("read", log, {});
    expect(thrown).toEqual(Array(4).fill(expect.any(TypeError)));
    expect(seen[1]).toEqual(seen[0]);
    expect(seen[1]?.[0]).toBe(log.messages[0]);
    expect(log.messages).toHaveLength(2);
  });

  it("[HOOK-038] uses only the returned result, as it was when returned", async () => {
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

  it("[HOOK-038] shares frozen fields, which throw on write", async () => {
    const { runner } = createFixture();
    const history = [{ text: "one" }];
    const seen: unknown[] = [];
    const thrown: unknown[] = [];
    for (const owner of ["a", "b"]) {
      registerCheck(
        runner,
        (event) => {
          seen.push(event.history);
          const given = event.history as { text: string }[];
          const first = given[0] as { text: string };
          thrown.push(
            errorOf(() => given.push({ text: "two" })),
            errorOf(() => {
              given[0] = { text: "x" };
            }),
            errorOf(() => {
              first.text = "x";
            }),
            errorOf(() => {
              event.history = [];
            }),
          );
        },
        owner,
      );
    }
    await runner.decide("check", { toolName: "x", params: {}, history }, {});
    expect(thrown).toEqual(Array(8).fill(expect.any(TypeError)));
    expect(seen[0]).toBe(history);
    expect(seen[1]).toBe(history);
  });

  it("[HOOK-038] copies frozen data for each handler when parts of it cannot be frozen", async () => {
    const { runner } = createFixture();
    const at = new Date(0);
    const history = [{ text: "one", at }];
    const seen: { at: Date }[][] = [];
    const thrown: unknown[] = [];
    for (const owner of ["a", "b"]) {
      registerCheck(
        runner,
        (event) => {
          const given = event.history as unknown as { text: string; at: Date }[];
          seen.push(given);
          given[0]?.at.setTime(5);
          thrown.push(errorOf(() => given.push({ text: "x", at })));
        },
        owner,
      );
    }
    await runner.decide("check", { toolName: "x", params: {}, history: history as never }, {});
    expect(thrown).toEqual(Array(2).fill(expect.any(TypeError)));
    expect(at.getTime()).toBe(0);
    expect(seen[0]).not.toBe(seen[1]);
    expect(seen[1]?.[0]?.at.getTime()).toBe(5);
  });

  it("[HOOK-038] copies fields without an isolation setting when any part of them is writable", async () => {
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

  it("[HOOK-038] shares fields without an isolation setting when they are deeply frozen, and copies others", async () => {
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

  it("[HOOK-038] passes opaque values through and copies plain data of every kind", async () => {
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

  it("omits an own __proto__ and sets no prototype", async () => {
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

  it("[HOOK-038] keeps the event of an abandoned handler unchanged", async () => {
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

/** Returns what an action throws, for a handler whose assertions the runner would contain. */
function errorOf(action: () => unknown): unknown {
  try {
    action();
    return undefined;
  } catch (error) {
    return error;
  }
}
