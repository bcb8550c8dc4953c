import { describe, expect, it } from "vitest";
import { HookUsageError } from "../../src/index.js";
import { createFixture, hang, settle } from "../support/fixture.js";

type Runner = ReturnType<typeof createFixture>["runner"];

const event = { toolName: "read", params: {} };

function adder(runner: Runner) {
  const calls: string[] = [];
  const add = (owner: string, options: object = {}) =>
    runner.register({
      name: "check",
      owner,
      source: `${owner}.ts`,
      handler: () => {
        calls.push(owner);
      },
      ...options,
    });
  const dispatched = async (dispatch: Pick<Runner, "decide"> = runner) => {
    calls.length = 0;
    await dispatch.decide("check", event, {});
    return [...calls];
  };
  return { add, dispatched };
}

describe("handler order", () => {
  it("[HOOK-009] is by descending priority, then by registration, across owners", async () => {
    const { add, dispatched } = adder(createFixture().runner);
    add("low", { priority: -1 });
    add("first");
    add("high", { priority: 10 });
    add("second", { priority: 0 });
    add("half", { priority: 0.5 });
    expect(await dispatched()).toEqual(["high", "half", "first", "second", "low"]);
    add("later high", { priority: 10 });
    add("third");
    expect(await dispatched()).toEqual([
      "high",
      "later high",
      "half",
      "first",
      "second",
      "third",
      "low",
    ]);
  });

  it("puts an order given at registration before the registration time, within one priority", async () => {
    const { add, dispatched } = adder(createFixture().runner);
    add("third", { order: 3 });
    add("also third", { order: 3 });
    add("first", { order: -1 });
    add("default");
    add("high", { priority: 1, order: 99 });
    add("never last", { order: Number.NEGATIVE_INFINITY });
    expect(await dispatched()).toEqual([
      "high",
      "never last",
      "first",
      "default",
      "third",
      "also third",
    ]);
  });

  it("[HOOK-043] runs the whole policy stage first; a call it blocks goes no further", async () => {
    const { runner } = createFixture();
    const { add, dispatched } = adder(runner);
    add("ordinary", { priority: 1_000 });
    add("policy", { stage: "policy", priority: -1_000 });
    add("strict policy", { stage: "policy", priority: 5 });
    expect(await dispatched()).toEqual(["strict policy", "policy", "ordinary"]);
    add("blocker", { stage: "policy", priority: -2_000, handler: () => ({ block: true }) });
    expect(await dispatched()).toEqual(["strict policy", "policy"]);
  });
});

describe("changes while dispatching", () => {
  it("[HOOK-040] keep the handler list of a dispatch in flight, removed handlers included", async () => {
    const { runner } = createFixture();
    const calls: string[] = [];
    let release = () => {};
    runner.register({
      name: "check",
      owner: "slow",
      source: "s",
      handler: () => new Promise<void>((resolve) => (release = resolve)),
    });
    const removed = runner.register({
      name: "check",
      owner: "removed",
      source: "s",
      handler: () => void calls.push("removed"),
    });
    const inFlight = runner.decide("check", event, {});
    removed();
    runner.register({
      name: "check",
      owner: "added",
      source: "s",
      handler: () => void calls.push("added"),
    });
    release();
    await inFlight;
    expect(calls).toEqual(["removed"]);
  });

  it("[HOOK-040] let a handler unregister itself while it runs", async () => {
    const { runner } = createFixture();
    let calls = 0;
    const once = runner.register({
      name: "seen",
      owner: "a",
      source: "a",
      handler: () => {
        calls += 1;
        once();
      },
    });
    await runner.observe("seen", { id: "1" }, {});
    await runner.observe("seen", { id: "2" }, {});
    expect(calls).toBe(1);
  });
});

describe("transactions", () => {
  it("[HOOK-041] become visible as a whole", async () => {
    const { runner } = createFixture();
    const { add, dispatched } = adder(runner);
    const old = add("old");
    let during: string[] = [];
    runner.transaction(() => {
      old();
      add("new");
      during = runner.registrations().map(({ owner }) => owner);
    });
    expect(during).toEqual(["old"]);
    expect(await dispatched()).toEqual(["new"]);
  });

  it("[HOOK-041] leave no trace when they throw", async () => {
    const { runner } = createFixture();
    const { add, dispatched } = adder(runner);
    const old = add("old");
    expect(() =>
      runner.transaction(() => {
        old();
        add("new");
        runner.owner("old", { config: { changed: true } });
        throw new Error("no");
      }),
    ).toThrow("no");
    expect(await dispatched()).toEqual(["old"]);
    expect(runner.generation).toBe(1);
    old();
    expect(await dispatched()).toEqual([]);
  });

  it("return what their function returns and absorb inner transactions", async () => {
    const { runner } = createFixture();
    const { add, dispatched } = adder(runner);
    const result = runner.transaction(() => {
      add("outer");
      expect(() =>
        runner.transaction(() => {
          add("dropped");
          throw new Error("inner");
        }),
      ).toThrow("inner");
      return runner.transaction(() => {
        add("inner");
        return 42;
      });
    });
    expect(result).toBe(42);
    expect(await dispatched()).toEqual(["outer", "inner"]);
  });

  it("must be synchronous", () => {
    const { runner } = createFixture();
    const { add } = adder(runner);
    expect(() =>
      runner.transaction(async () => {
        add("never");
        throw new Error("swallowed");
      }),
    ).toThrow(HookUsageError);
    expect(runner.registrations()).toEqual([]);
  });

  it("reject a change for the next generation inside one for the current generation", () => {
    const { runner } = createFixture();
    expect(() =>
      runner.transaction(() => runner.transaction(() => {}, { generation: "next" })),
    ).toThrow(/Begin the outer one with/);
    runner.transaction(() => runner.transaction(() => {}, { generation: "next" }), {
      generation: "next",
    });
    expect(runner.generation).toBe(2);
  });
});

describe("runner generations", () => {
  it("serve a pin through a reload until it is released", async () => {
    const { runner } = createFixture();
    const { add, dispatched } = adder(runner);
    const old = add("old");
    const pin = runner.pin();
    runner.transaction(
      () => {
        old();
        add("new");
      },
      { generation: "next" },
    );
    expect([pin.generation, runner.generation]).toEqual([1, 2]);
    expect(await dispatched(pin)).toEqual(["old"]);
    expect(await dispatched()).toEqual(["new"]);
    expect(await dispatched(runner.pin())).toEqual(["new"]);
    expect(pin.has("check")).toBe(true);

    pin.release();
    pin.release();
    expect(() => pin.decide("check", event, {})).toThrow(/released pin/);
    expect(() => pin.has("check")).toThrow(HookUsageError);
    expect(pin.generation).toBe(1);
  });

  it("release a pin with `using`; several pins keep a generation", async () => {
    const { runner } = createFixture();
    const { add, dispatched } = adder(runner);
    const old = add("old");
    const second = runner.pin();
    {
      using first = runner.pin();
      runner.transaction(() => old(), { generation: "next" });
      expect(await dispatched(first)).toEqual(["old"]);
    }
    expect(await dispatched(second)).toEqual(["old"]);
    old();
    expect(await dispatched(second)).toEqual([]);
    second.release();
  });

  it("add a registration outside a reload to the current generation, also for its pins", async () => {
    const { runner } = createFixture();
    const { add, dispatched } = adder(runner);
    const old = add("old");
    const oldPin = runner.pin();
    runner.transaction(() => old(), { generation: "next" });
    const pin = runner.pin();
    add("late");
    expect(await dispatched(pin)).toEqual(["late"]);
    expect(await dispatched(oldPin)).toEqual(["old"]);
  });

  it("apply an unregistration to older generations, except inside a reload", async () => {
    const { runner } = createFixture();
    const { add, dispatched } = adder(runner);
    const kept = add("kept");
    const moved = add("moved");
    const pin = runner.pin();
    runner.transaction(() => moved(), { generation: "next" });
    expect(await dispatched(pin)).toEqual(["kept", "moved"]);
    kept();
    expect(await dispatched(pin)).toEqual(["moved"]);
    runner.transaction(() => moved());
    expect(await dispatched(pin)).toEqual([]);
  });

  it("stay unchanged after a failed reload", async () => {
    const { runner } = createFixture();
    const { add, dispatched } = adder(runner);
    const old = add("old");
    expect(() =>
      runner.transaction(
        () => {
          old();
          throw new Error("plugin did not load");
        },
        { generation: "next" },
      ),
    ).toThrow("plugin did not load");
    expect(runner.generation).toBe(1);
    expect(await dispatched()).toEqual(["old"]);
  });

  it("own their config and interceptors", async () => {
    const { runner } = createFixture();
    runner.owner("p", { config: { version: 1 } });
    const seen: unknown[] = [];
    const register = () =>
      runner.register({
        name: "check",
        owner: "p",
        source: "p",
        handler: (_event, { pluginConfig }) => void seen.push(pluginConfig.version),
      });
    const old = register();
    const pin = runner.pin();
    runner.transaction(
      () => {
        old();
        runner.owner("p", { config: { version: 2 } });
        register();
      },
      { generation: "next" },
    );
    await pin.decide("check", event, {});
    await runner.decide("check", event, {});
    expect(seen).toEqual([1, 2]);
  });
});

describe("host gate", () => {
  it("[HOOK-044] holds registrations back with a reason until a rebuild after its answer changed", async () => {
    let consent = false;
    const asked: string[] = [];
    const { runner } = createFixture({
      gate: ({ owner, hook }) => {
        asked.push(`${owner}:${hook}`);
        return owner === "installed" && !consent
          ? { active: false, reason: "set allow: true" }
          : { active: true };
      },
    });
    const { add, dispatched } = adder(runner);
    add("installed");
    add("bundled");
    expect(asked).toEqual(["installed:check", "installed:check", "bundled:check"]);
    expect(await dispatched()).toEqual(["bundled"]);
    expect(runner.registrations()).toMatchObject([
      { owner: "bundled", active: true },
      { owner: "installed", active: false, reason: "set allow: true" },
    ]);
    expect(asked).toHaveLength(3);

    consent = true;
    expect(await dispatched()).toEqual(["bundled"]);
    runner.rebuild();
    expect(await dispatched()).toEqual(["installed", "bundled"]);
  });

  it("[HOOK-044] fails the change and registers nothing when it throws", async () => {
    const { runner } = createFixture({
      gate: ({ owner }) => {
        if (owner === "bad") throw new Error("gate is broken");
        return { active: true };
      },
    });
    const { add, dispatched } = adder(runner);
    add("good");
    expect(() => add("bad")).toThrow("gate is broken");
    expect(await dispatched()).toEqual(["good"]);
  });
});

it("[HOOK-041] does not apply a batch to a dispatch in flight", async () => {
  const { runner, clock } = createFixture();
  const { add } = adder(runner);
  const hung = add("hung", { handler: hang, mode: "fail-open" });
  const after = add("after");
  const inFlight = Promise.resolve(runner.detailed("check", event, {}));
  runner.transaction(() => {
    hung();
    after();
  });
  for (let tick = 0; tick < 80; tick += 1) {
    clock.advance(15);
    await settle();
  }
  expect((await inFlight).outcome).toBe("completed");
  expect(runner.registrations()).toEqual([]);
});
