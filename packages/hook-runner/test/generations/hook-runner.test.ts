import { describe, expect, it } from "vitest";
import {
  createHookRunner,
  HookOptionError,
  HookUsageError,
  UnknownHookError,
} from "../../src/index.js";
import { createFixture, settle } from "../support/fixture.js";

describe("createHookRunner", () => {
  it("[HOOK-001] runs any hook map with its names and fields", async () => {
    interface Shop {
      priced: {
        kind: "rewrite";
        event: { item: string; cents: number };
        context: { shop: string };
        result: { cents?: number };
      };
    }
    const runner = createHookRunner<Shop>({
      priced: { kind: "rewrite", deadlineMs: 50, failure: "open", merge: { cents: "last" } },
    });
    runner.register({
      name: "priced",
      owner: "sale",
      source: "sale.ts",
      handler: async ({ cents }, { shop }) => ({ cents: shop === "outlet" ? cents / 2 : cents }),
    });
    expect(await runner.rewrite("priced", { item: "mug", cents: 900 }, { shop: "outlet" })).toEqual(
      {
        cents: 450,
      },
    );
  });

  it("[HOOK-001] exports no hook name and imports no other package", async () => {
    const exported = Object.keys(await import("../../src/index.js"));
    expect(exported.sort()).toEqual([
      "HookDefinitionError",
      "HookOptionError",
      "HookUsageError",
      "NotedResult",
      "PluginHookExecutionError",
      "UnknownHookError",
      "createHookRunner",
      "createManualClock",
    ]);
    const { readdir, readFile } = await import("node:fs/promises");
    const folder = new URL("../../src/", import.meta.url);
    const sources = (await readdir(folder, { recursive: true })).filter((file) =>
      file.endsWith(".ts"),
    );
    expect(sources.length).toBeGreaterThan(40);
    for (const file of sources) {
      const imports = (await readFile(new URL(file, folder), "utf8")).matchAll(/from "([^"]+)"/g);
      for (const [, specifier] of imports) {
        expect(specifier, file).toMatch(
          /^(\.\/|\.\.\/(?!\.)|@openclaw\/foundation(?:\/errors)?$|node:(?:async_hooks|diagnostics_channel)$)/,
        );
      }
    }
  });

  it("[HOOK-003] runs a handler from the next dispatch on, and never after it is unregistered", async () => {
    const { runner } = createFixture();
    const calls: string[] = [];
    const unregister = runner.register({
      name: "seen",
      owner: "a",
      source: "a.ts",
      handler: ({ id }) => calls.push(id),
    });
    await runner.observe("seen", { id: "first" }, {});
    unregister();
    unregister();
    await runner.observe("seen", { id: "second" }, {});
    expect(calls).toEqual(["first"]);
  });

  it("[HOOK-003] returns a disposable unregister function", async () => {
    const { runner } = createFixture();
    {
      using _registration = runner.register({
        name: "seen",
        owner: "a",
        source: "a.ts",
        handler: () => {},
      });
      expect(runner.has("seen")).toBe(true);
    }
    expect(runner.has("seen")).toBe(false);
  });

  it("[HOOK-006] throws for an unknown name with its owner and the nearest names, and registers nothing", () => {
    const { runner } = createFixture({ aliases: { "tool.pre": "check" } });
    const register = (name: string) => () =>
      runner.register({ name: name as "seen", owner: "typo", source: "t.ts", handler: () => {} });

    expect(register("sean")).toThrow(UnknownHookError);
    try {
      register("ched")();
    } catch (error) {
      expect(UnknownHookError.isInstance(error)).toBe(true);
      expect(error).toMatchObject({
        hook: "ched",
        owner: "typo",
        suggestions: ["check"],
      });
    }
    expect(register("tool.pre")).toThrow('did you mean "check"?');
    expect(register("nothing_like_it")).toThrow("no known name is close");
    expect(register("")).toThrow(UnknownHookError);
    expect(register("constructor")).toThrow(UnknownHookError);
    expect(runner.registrations()).toEqual([]);
  });

  it("[HOOK-006] throws when an unknown name is dispatched", () => {
    const { runner } = createFixture();
    expect(() => runner.has("nope" as "seen")).toThrow('A dispatch named hook "nope"');
  });

  it("[HOOK-007] rejects the same handler with the same options, naming both sources", async () => {
    const { runner, diagnostics } = createFixture();
    let calls = 0;
    const handler = () => {
      calls += 1;
    };
    const registration = { name: "seen", owner: "a", handler, priority: 3 } as const;
    runner.register({ ...registration, source: "first.ts" });
    const second = runner.register({ ...registration, source: "second.ts" });
    expect(diagnostics).toEqual([
      expect.objectContaining({ code: "duplicate-registration", owner: "a", hook: "seen" }),
    ]);
    expect(diagnostics[0]?.message).toContain("first.ts");
    expect(diagnostics[0]?.message).toContain("second.ts");
    second();
    await runner.observe("seen", { id: "1" }, {});
    expect(calls).toBe(1);
  });

  it.each([
    ["another priority", { priority: 4 }],
    ["another owner", { owner: "b" }],
    ["another scope", { scope: { agentIds: ["x"] } }],
    ["another condition", { condition: () => true }],
    ["another id", { id: "mine" }],
    ["another stage", { stage: "policy" }],
    ["another alias", { alias: "phase" }],
  ] as const)("[HOOK-007] accepts %s as a second registration", (_what, difference) => {
    const { runner, diagnostics } = createFixture();
    const handler = () => {};
    const registration = {
      name: "seen",
      owner: "a",
      source: "a.ts",
      handler,
      priority: 3,
    } as const;
    runner.register(registration);
    runner.register({ ...registration, ...difference });
    expect(runner.registrations()).toHaveLength(2);
    expect(diagnostics).toEqual([]);
  });

  it("[HOOK-008] uses a registration between dispatches in the next one", async () => {
    const { runner, diagnostics } = createFixture();
    const calls: string[] = [];
    const add = (owner: string) =>
      runner.register({ name: "seen", owner, source: "s", handler: () => calls.push(owner) });
    add("a");
    await runner.observe("seen", { id: "1" }, {});
    add("b");
    await runner.observe("seen", { id: "2" }, {});
    expect(calls).toEqual(["a", "a", "b"]);
    expect(diagnostics).toEqual([]);
  });

  it("[HOOK-008] activates a registration after its owner's phase and reports it", async () => {
    const { runner, diagnostics } = createFixture();
    runner.owner("late", { registrationClosed: true });
    let calls = 0;
    runner.register({ name: "seen", owner: "late", source: "l.ts", handler: () => void calls++ });
    runner.register({ name: "seen", owner: "other", source: "o.ts", handler: () => {} });
    await runner.observe("seen", { id: "1" }, {});
    expect(calls).toBe(1);
    expect(diagnostics).toEqual([
      expect.objectContaining({
        level: "warn",
        code: "late-registration",
        owner: "late",
        source: "l.ts",
      }),
    ]);
  });

  it("[HOOK-002] throws at run time when a hook is dispatched as another kind", () => {
    const { runner } = createFixture();
    for (const method of ["observe", "rewrite", "claim", "sync", "detailedSync"] as const) {
      const dispatch = runner[method] as (name: string, event: object, context: object) => unknown;
      expect(() => dispatch.call(runner, "check", {}, {})).toThrow(
        /Hook "check" is of kind decide/,
      );
    }
    expect(() => runner.decide("seen" as never, {} as never, {} as never)).toThrow(HookUsageError);
  });

  it("[HOOK-002] rejects detailed dispatches of hooks without a result", async () => {
    const { runner } = createFixture();
    await expect(runner.detailed("seen" as never, {} as never, {} as never)).rejects.toMatchObject({
      code: "HOOK_WRONG_KIND",
    });
  });

  it("lists registrations without their handlers", () => {
    const { runner } = createFixture();
    runner.register({
      name: "check",
      owner: "guard",
      source: "guard.ts",
      handler: () => {},
      priority: 7,
      stage: "policy",
      alias: "tool.pre",
      label: "shell rules",
      id: "rules",
    });
    expect(runner.registrations()).toEqual([
      {
        id: "rules",
        hook: "check",
        owner: "guard",
        source: "guard.ts",
        stage: "policy",
        priority: 7,
        alias: "tool.pre",
        label: "shell rules",
        active: true,
      },
    ]);
  });

  it("reports whether a handler is registered, and whether one is in scope", () => {
    const { runner } = createFixture();
    expect(runner.has("check")).toBe(false);
    expect(runner.has("check", {})).toBe(false);
    runner.register({
      name: "check",
      owner: "a",
      source: "a",
      handler: () => {},
      scope: { toolNames: ["exec"], agentIds: ["main"] },
    });
    expect(runner.has("check")).toBe(true);
    expect(runner.has("check", { agentId: "main", toolName: "exec" })).toBe(true);
    expect(runner.has("check", { agentId: "main" }, { toolName: "read" })).toBe(false);
    expect(runner.has("check", {})).toBe(false);
    expect(runner.has("check", undefined, undefined, { stage: "ordinary" })).toBe(true);
    expect(runner.has("check", undefined, undefined, { stage: "policy" })).toBe(false);
    expect(runner.has("check", undefined, undefined, { owner: "b" })).toBe(false);
  });

  it("dispatches only to one owner or one stage, when asked", async () => {
    const { runner } = createFixture();
    const calls: string[] = [];
    for (const [owner, stage] of [
      ["a", "ordinary"],
      ["b", "policy"],
      ["a", "policy"],
    ] as const) {
      const handler = () => void calls.push(`${owner}:${stage}`);
      runner.register({ name: "check", owner, source: "s", stage, handler });
    }
    const event = { toolName: "read", params: {} };
    const dispatched = async (options: object) => {
      calls.length = 0;
      await runner.decide("check", event, {}, options);
      return [...calls];
    };
    expect(await dispatched({ owner: "a" })).toEqual(["a:policy", "a:ordinary"]);
    expect(await dispatched({ owner: "a" })).toEqual(["a:policy", "a:ordinary"]);
    expect(await dispatched({ stage: "policy" })).toEqual(["b:policy", "a:policy"]);
    expect(await dispatched({ stage: "ordinary", owner: "b" })).toEqual([]);
    expect(await dispatched({ owner: "nobody" })).toEqual([]);
    expect(await dispatched({})).toEqual(["b:policy", "a:policy", "a:ordinary"]);
  });

  it("reports to the console when the host gives no diagnostics", async () => {
    const { vi } = await import("vitest");
    const error = vi.spyOn(console, "error").mockImplementation(() => {});
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    const runner = createHookRunner<{
      seen: { kind: "observe"; event: { id: string }; context: object; result: undefined };
    }>({ seen: { kind: "observe", deadlineMs: 10, failure: "open" } });
    runner.register({
      name: "seen",
      owner: "a",
      source: "a",
      handler: () => {
        throw new Error("boom");
      },
    });
    await runner.observe("seen", { id: "1" }, {});
    expect(warn).toHaveBeenCalledWith(expect.stringContaining("handler-failed"), expect.anything());

    const broken = createHookRunner<{
      seen: { kind: "observe"; event: { id: string }; context: object; result: undefined };
    }>(
      { seen: { kind: "observe", deadlineMs: 10, failure: "open" } },
      {
        onDiagnostic: () => {
          throw new Error("sink");
        },
      },
    );
    broken.owner("a", { registrationClosed: true });
    broken.register({ name: "seen", owner: "a", source: "a", handler: () => {} });
    expect(warn).toHaveBeenCalledWith(expect.stringContaining("late-registration"));
    expect(error).toHaveBeenCalledWith(expect.stringContaining("onDiagnostic"), expect.any(Error));
    warn.mockRestore();
    error.mockRestore();
  });

  it("rejects a registration without owner, source or handler", async () => {
    const { runner } = createFixture();
    const good = { name: "seen", owner: "a", source: "a", handler: () => {} } as const;
    for (const [key, value] of [
      ["owner", ""],
      ["owner", 4],
      ["source", undefined],
      ["handler", "text"],
      ["stage", "first"],
      ["alias", 5],
      ["order", Number.NaN],
      ["order", "1"],
    ] as const) {
      expect(() => runner.register({ ...good, [key]: value } as never)).toThrow(HookOptionError);
    }
    await settle();
    expect(runner.registrations()).toEqual([]);
  });
});
