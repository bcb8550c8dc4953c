import {
  HOOK_NAMES,
  LIFECYCLE_ALIASES,
  LIFECYCLE_PHASES,
  type OpenClawPluginApi,
  PluginDisposedError,
} from "@openclaw/plugin-sdk";
import { describe, expect, it } from "vitest";
import { PluginRegistrationError } from "../../src/index.js";
import { createTestHost, plugin, untyped } from "../support/host.js";

const CONTEXT = { callDepth: 0 };
const ENDED = { messages: [], success: true };

async function loaded(register: (api: OpenClawPluginApi) => void | Promise<void>, plugins = {}) {
  const host = createTestHost([plugin(register)], plugins);
  const generation = await host.runtime.load();
  return { ...host, generation };
}

describe("api.on", () => {
  it("[LIFE-020] registers a name computed at run time, and its handler fires", async () => {
    const seen: unknown[] = [];
    const name = ["agent", "end"].join("_");
    const { runtime, generation } = await loaded((api) => {
      untyped(api).on(name, (event: unknown, context: unknown) => seen.push([event, context]));
    });
    expect(generation.diagnostics).toEqual([]);
    await runtime.hooks.observe("agent_end", ENDED, { ...CONTEXT, runId: "r1" });
    expect(seen).toEqual([
      [
        expect.objectContaining({ success: true }),
        expect.objectContaining({ pluginId: "guard", hookName: "agent_end" }),
      ],
    ]);
  });

  it("[LIFE-021] returns a function that unregisters the handler and works with `using`", async () => {
    const calls: string[] = [];
    let takeBack = () => {};
    const { runtime } = await loaded((api) => {
      takeBack = api.on("agent_end", () => void calls.push("function"));
      {
        using _scoped = api.on("agent_end", () => void calls.push("using"));
      }
      api.on("agent_end", () => void calls.push("ignored"));
    });
    await runtime.hooks.observe("agent_end", ENDED, CONTEXT);
    expect(calls.splice(0)).toEqual(["function", "ignored"]);
    takeBack();
    takeBack();
    await runtime.hooks.observe("agent_end", ENDED, CONTEXT);
    expect(calls).toEqual(["ignored"]);
    expect(runtime.current.hooks).toHaveLength(1);
  });

  it("[LIFE-022] applies every execution option of a handler", async () => {
    const tries: string[] = [];
    let inFlight = 0;
    let most = 0;
    const { runtime } = await loaded((api) => {
      api.on("before_tool_call", () => ({ guidance: "last" }), { priority: -1, name: "low" });
      api.on(
        "before_tool_call",
        async (event) => {
          tries.push(event.toolName);
          inFlight += 1;
          most = Math.max(most, inFlight);
          await new Promise((resolve) => setImmediate(resolve));
          inFlight -= 1;
          throw new Error("skipped after one more try");
        },
        {
          priority: 10,
          timeoutMs: 1_234,
          mode: "fail-open",
          onTimeout: "fail-closed",
          retry: { count: 1, backoffMs: 0 },
          maxConcurrency: 1,
          scope: { toolNames: ["exec"], channels: ["telegram"], agentIds: ["main"] },
          condition: (event) => event.params.ask === true,
          id: "first",
          name: "high",
        },
      );
    });
    const context = { ...CONTEXT, toolName: "exec", messageProvider: "telegram", agentId: "main" };
    const { handlers } = runtime.inspection.explain("before_tool_call", context);
    expect(handlers.map(({ id, label }) => [id, label])).toEqual([
      ["first", "high"],
      [expect.any(String), "low"],
    ]);
    expect(handlers[0]).toMatchObject({
      priority: 10,
      deadlineMs: 1_234,
      mode: "fail-open",
      onTimeout: "fail-closed",
      conditional: true,
    });
    const call = (params: object, changes: object = {}) =>
      runtime.hooks.decide(
        "before_tool_call",
        { toolName: "exec", params: { ...params } },
        { ...context, ...changes },
      );
    expect(await Promise.all([call({ ask: true }), call({ ask: true })])).toEqual([
      { guidance: "last" },
      { guidance: "last" },
    ]);
    expect(tries).toHaveLength(4);
    expect(most).toBe(1);
    await call({ ask: false });
    await call({ ask: true }, { messageProvider: "terminal" });
    await call({ ask: true }, { agentId: "other" });
    await runtime.hooks.decide(
      "before_tool_call",
      { toolName: "read", params: { ask: true } },
      { ...context, toolName: "read" },
    );
    expect(tries).toHaveLength(4);
  });

  it("rejects an option of a wrong type at the call and names it", async () => {
    let register = () => {};
    const { generation } = await loaded((api) => {
      register = () => untyped(api).on("agent_end", () => {}, { priority: "high" });
    });
    expect(register).toThrow(/"priority" must be a finite number, got "high"/);
    expect(generation.hooks).toEqual([]);
  });

  it("[LIFE-023] maps the options of the 2026.9 vintage, and warns once of an unknown one", async () => {
    const calls: string[] = [];
    const { runtime, generation } = await loaded((api) => {
      const { on } = untyped(api);
      on("before_tool_call", () => void calls.push("matched"), {
        registrationId: "vintage",
        matcher: ["exec"],
      });
      on("before_agent_reply", () => void calls.push("cron"), { eligibleTriggers: ["cron"] });
      on("reply_dispatch", () => void calls.push("agent"), { eligibleDispatchKinds: ["agent"] });
      on("agent_end", () => {}, { requiresToolAuthority: true });
      on("agent_end", () => {}, { requiresToolAuthority: true });
      on("agent_end", () => {}, { matcher: ["exec"] });
    });
    expect(generation.diagnostics.map(({ code, message }) => [code, message])).toEqual([
      ["unknown-option", expect.stringContaining('"requiresToolAuthority"')],
      ["unknown-option", expect.stringContaining('"matcher"')],
    ]);
    const { hooks } = runtime;
    await hooks.decide("before_tool_call", { toolName: "read", params: {} }, CONTEXT);
    await hooks.decide("before_tool_call", { toolName: "exec", params: {} }, CONTEXT);
    await hooks.claim("before_agent_reply", { cleanedBody: "", trigger: "user" }, CONTEXT);
    await hooks.claim("before_agent_reply", { cleanedBody: "", trigger: "cron" }, CONTEXT);
    const reply = {
      ctx: { channel: "terminal" },
      payloads: [],
      sendPolicy: "allow",
      shouldRouteToOriginating: false,
      inboundAudio: false,
    } as const;
    await hooks.claim("reply_dispatch", { ...reply, payloads: [] }, CONTEXT);
    expect(calls).toEqual(["matched", "cron", "agent"]);
    const ids = runtime.inspection.registrations().map(({ id }) => id);
    expect(ids).toContain("vintage");
  });

  it("[LIFE-024] reports an unknown name with the nearest ones, and fails a strict load", async () => {
    const register = (api: OpenClawPluginApi) => {
      api.on("agent_end", () => {});
      untyped(api).on("before_tool_cal", () => {});
    };
    const { generation } = await loaded(register);
    expect(generation.plugins[0]).toMatchObject({ status: "loaded", hookNames: ["agent_end"] });
    expect(generation.diagnostics).toEqual([
      expect.objectContaining({
        level: "error",
        code: "unknown-hook",
        pluginId: "guard",
        message: expect.stringMatching(
          /plugin "guard".*"before_tool_cal" is not a hook of this host$/,
        ),
        hint: expect.stringContaining('"before_tool_call"'),
      }),
    ]);
    const strict = await loaded(register, { strict: true });
    expect(strict.generation.plugins[0]).toMatchObject({ status: "error", hookNames: [] });
  });

  it("fails a strict load even when the plugin catches the error", async () => {
    const { generation } = await loaded(
      (api) => {
        try {
          untyped(api).on("nonsense", () => {});
        } catch {}
      },
      { strict: true },
    );
    expect(generation.plugins[0]).toMatchObject({ status: "error" });
  });

  it.each([
    ["deactivate", "api.lifecycle.onDispose"],
    ["reply_payload_sending", "before_dispatch"],
    ["resolve_exec_env", "not offered"],
    ["channel_pairing_requested", "not offered"],
    ["cron_reconciled", "not offered"],
    ["subagent_progress", "not offered"],
    ["skill_changed", "not offered"],
  ])("[LIFE-025] gives specific advice for %s", async (name, advice) => {
    const { generation } = await loaded((api) => {
      untyped(api).on(name, () => {});
    });
    expect(generation.diagnostics).toEqual([
      expect.objectContaining({
        code: "hook-of-other-version",
        message: expect.stringContaining(`"${name}"`),
        hint: expect.stringContaining(advice),
      }),
    ]);
  });

  it("[LIFE-026] registers older hooks; before_agent_start reports its replacement once", async () => {
    const { generation } = await loaded((api) => {
      api.on("before_agent_start", () => ({ prependContext: "a" }));
      api.on("before_agent_start", () => ({ prependContext: "b" }));
      api.on("subagent_spawning", () => undefined);
    });
    expect(generation.plugins[0]).toMatchObject({
      status: "loaded",
      hookNames: ["before_agent_start", "subagent_spawning"],
    });
    expect(generation.diagnostics).toEqual([
      expect.objectContaining({
        level: "info",
        code: "deprecated-hook",
        hint: expect.stringMatching(/before_model_resolve.*before_prompt_build/),
      }),
    ]);
  });

  it("[LIFE-027] is an own function property of api", async () => {
    let isOwn = false;
    let takeBack: unknown;
    const { generation } = await loaded((api) => {
      isOwn = Object.hasOwn(api, "on");
      takeBack = api.on?.("agent_end", () => {});
    });
    expect(isOwn).toBe(true);
    expect(takeBack).toBeTypeOf("function");
    expect(generation.hooks).toHaveLength(1);
  });

  it("[LIFE-028] takes effect late with a warning, and throws once the plugin is disposed", async () => {
    let kept: OpenClawPluginApi | undefined;
    const calls: string[] = [];
    const { runtime, generation } = await loaded((api) => {
      kept = api;
    });
    kept?.on("agent_end", () => void calls.push("late"));
    expect(generation.diagnostics).toEqual([]);
    expect(runtime.current.diagnostics).toEqual([
      expect.objectContaining({ level: "warn", code: "late-registration", pluginId: "guard" }),
    ]);
    await runtime.hooks.observe("agent_end", ENDED, CONTEXT);
    expect(calls).toEqual(["late"]);
    await runtime.dispose();
    expect(() => kept?.on("agent_end", () => {})).toThrow(PluginDisposedError);
    expect(() => kept?.registerHook("agent_end", () => {})).toThrow(PluginDisposedError);
    expect(() => kept?.lifecycle.on("agent.post", () => {})).toThrow(PluginDisposedError);
  });
});

describe("api.lifecycle.on", () => {
  it("[LIFE-029] accepts all 19 phases and 19 aliases, and returns the same as api.on", async () => {
    const names = [...Object.keys(LIFECYCLE_PHASES), ...Object.keys(LIFECYCLE_ALIASES)];
    const returned: ReturnType<ReturnType<typeof untyped>["lifecycleOn"]>[] = [];
    const { generation } = await loaded((api) => {
      for (const name of names) returned.push(untyped(api).lifecycleOn(name, () => {}));
    });
    expect(returned).toHaveLength(names.length);
    for (const takeBack of returned) {
      expect(takeBack).toBeTypeOf("function");
      expect(takeBack[Symbol.dispose]).toBeTypeOf("function");
    }
    expect(generation.hooks.map(({ alias }) => alias)).toEqual(names);
    const hooks = Object.values(LIFECYCLE_PHASES);
    expect(generation.hooks.flatMap(({ events }) => events)).toEqual([...hooks, ...hooks]);
  });

  it("[LIFE-030] rejects names of api.on, and api.on rejects phases, each naming the right call", async () => {
    const { generation } = await loaded((api) => {
      const { on, lifecycleOn, registerHook } = untyped(api);
      lifecycleOn("before_tool_call", () => {});
      on("tool.pre", () => {});
      on("preToolExecution", () => {});
      registerHook("postRequest", () => {});
    });
    expect(generation.hooks).toEqual([]);
    expect(generation.diagnostics.map(({ code, hint }) => [code, hint])).toEqual([
      ["wrong-door", 'call api.on("before_tool_call", …) instead'],
      ["wrong-door", 'call api.lifecycle.on("tool.pre", …) instead'],
      ["wrong-door", 'call api.lifecycle.on("preToolExecution", …) instead'],
      ["wrong-door", 'call api.lifecycle.on("postRequest", …) instead'],
    ]);
  });

  it("suggests the nearest phases for an unknown one", async () => {
    const { generation } = await loaded((api) => {
      untyped(api).lifecycleOn("tool.pres", () => {});
    });
    expect(generation.diagnostics[0]).toMatchObject({
      code: "unknown-hook",
      hint: expect.stringContaining('"tool.pre"'),
    });
  });

  it("[LIFE-031] is sorted with api.on by priority and order; traces show the registered name", async () => {
    const order: string[] = [];
    const { runtime } = await loaded((api) => {
      api.on("before_tool_call", () => void order.push("on 0"));
      api.lifecycle.on("tool.pre", () => void order.push("phase 5"), { priority: 5 });
      api.lifecycle.on("preToolExecution", () => void order.push("alias 0"));
      api.registerHook("before_tool_call", () => void order.push("hook 5"), { priority: 5 });
    });
    const traces: (string | undefined)[] = [];
    runtime.inspection.trace(({ handlers }) => {
      traces.push(...handlers.map(({ alias }) => alias));
    });
    await runtime.hooks.decide("before_tool_call", { toolName: "read", params: {} }, CONTEXT);
    expect(order).toEqual(["phase 5", "hook 5", "on 0", "alias 0"]);
    expect(traces).toEqual(["tool.pre", undefined, undefined, "preToolExecution"]);
  });
});

describe("api.registerHook", () => {
  it("[LIFE-039] registers one name or a list, and the handlers fire with event and context", async () => {
    const calls: unknown[] = [];
    const { runtime } = await loaded((api) => {
      api.registerHook("agent_end", (event, context) => void calls.push([event, context]));
      api.registerHook(["session_start", "session_end"], ({ sessionId }, { hookName }) => {
        calls.push([hookName, sessionId]);
      });
    });
    await runtime.hooks.observe("agent_end", ENDED, CONTEXT);
    await runtime.hooks.observe("session_start", { sessionId: "s", reason: "new" }, CONTEXT);
    await runtime.hooks.observe(
      "session_end",
      { sessionId: "s", reason: "idle", messageCount: 0 },
      CONTEXT,
    );
    const [first] = calls as [[{ context: unknown }, unknown]];
    expect(first[0].context).toBe(first[1]);
    expect(calls.slice(1)).toEqual([
      ["session_start", "s"],
      ["session_end", "s"],
    ]);
  });

  it("[LIFE-042] sets event.context.pluginConfig, as api.on does", async () => {
    const seen: unknown[] = [];
    const note = (event: { context: { pluginConfig: unknown } }) =>
      void seen.push(event.context.pluginConfig);
    const config = { limit: 3 };
    const host = createTestHost(
      [
        {
          id: "guard",
          configSchema: { type: "object" },
          register(api) {
            api.on("agent_end", note);
            api.registerHook("agent_end", (event) => note(event), { priority: -1 });
            api.lifecycle.on("agent.post", note, { priority: -2 });
          },
        },
        plugin((api) => void api.on("agent_end", note, { priority: -3 }), "plain"),
      ],
      { entries: { guard: { config } } },
    );
    await host.runtime.load();
    await host.runtime.hooks.observe("agent_end", ENDED, CONTEXT);
    expect(seen).toEqual([config, config, config, {}]);
    expect(seen.every((value) => Object.isFrozen(value))).toBe(true);
  });

  it("[LIFE-043] accepts name, description, entry and register in addition to the execution options", async () => {
    const calls: string[] = [];
    const { runtime, generation } = await loaded((api) => {
      api.registerHook("agent_end", () => void calls.push("low"), { description: "counts runs" });
      api.registerHook("agent_end", () => void calls.push("listed"), { register: false });
      api.registerHook("agent_end", () => void calls.push("high"), {
        entry: { hook: { name: "from the file", description: "an older hook" } },
        priority: 5,
      });
    });
    await runtime.hooks.observe("agent_end", ENDED, CONTEXT);
    expect(calls).toEqual(["high", "low"]);
    expect(generation.hooks).toMatchObject([
      { name: "guard:agent_end", description: "counts runs", active: true },
      { name: "guard:agent_end", active: false },
      { name: "from the file", description: "an older hook", active: true, priority: 5 },
    ]);
    expect(runtime.inspection.registrations().map(({ label }) => label)).toEqual([
      "from the file",
      "guard:agent_end",
    ]);
  });

  it("keeps these options from api.on, where they have no effect", async () => {
    const { generation } = await loaded((api) => {
      untyped(api).on("agent_end", () => {}, { register: false, description: "no" });
    });
    expect(generation.hooks).toMatchObject([{ active: true }]);
    expect(generation.diagnostics.map(({ code }) => code)).toEqual([
      "unknown-option",
      "unknown-option",
    ]);
  });

  it("copies the options when it checks them", async () => {
    const scope = { toolNames: ["exec"] };
    const { runtime, generation } = await loaded((api) => {
      api.registerHook("before_tool_call", () => ({ guidance: "hi" }), { scope });
      Object.assign(scope, { toolNames: 5 });
    });
    expect(generation.plugins[0]).toMatchObject({ status: "loaded" });
    const event = { toolName: "exec", params: {} };
    expect(await runtime.hooks.decide("before_tool_call", event, CONTEXT)).toBeDefined();
  });

  it("[LIFE-044] registers the known names of a mixed list and diagnoses each unknown one", async () => {
    const { generation } = await loaded((api) => {
      untyped(api).registerHook(["agent_end", "agent_ends", "session_start", "nonsense"], () => {});
    });
    expect(generation.hooks).toMatchObject([{ events: ["agent_end", "session_start"] }]);
    expect(generation.diagnostics.map(({ code, message }) => [code, message])).toEqual([
      ["unknown-hook", expect.stringContaining('"agent_ends"')],
      ["unknown-hook", expect.stringContaining('"nonsense"')],
    ]);
  });

  it.each<[string, unknown, unknown, string]>([
    ["an empty list", [], () => {}, "events"],
    ["no handler", "agent_end", undefined, "handler"],
    ["a handler that is no function", "agent_end", {}, "handler"],
    ["a name that is no string", [7], () => {}, "name"],
  ])("[LIFE-044] throws for %s, naming the argument", async (_what, names, handler, argument) => {
    let thrown: unknown;
    const { generation } = await loaded((api) => {
      try {
        untyped(api).registerHook(names, handler);
      } catch (error) {
        thrown = error;
      }
    });
    expect(PluginRegistrationError.isInstance(thrown)).toBe(true);
    expect(thrown).toMatchObject({ argument, member: "registerHook", pluginId: "guard" });
    expect(generation.hooks).toEqual([]);
  });

  it("[LIFE-040] binds colon events to their hooks, and reports others as unknown", async () => {
    const { generation } = await loaded((api) => {
      untyped(api).registerHook(["command", "session:start", "command:dance"], () => {});
      api.registerHook("message", () => {}, { priority: 3 });
    });
    expect(generation.diagnostics.map(({ code }) => code)).toEqual(["unknown-hook"]);
    expect(generation.hooks).toMatchObject([
      { events: ["command", "session:start"], entryPoint: "registerHook", active: true },
      { events: ["message"], priority: 3 },
    ]);
  });

  it("[LIFE-045] lists each call as one registration, for any registrar", async () => {
    const handler = () => {};
    const { generation } = await loaded((api) => {
      api.on("agent_end", handler, { priority: 3 });
      api.lifecycle.on("boot.pre", handler);
      api.registerHook(["session_start", "session_end"], handler);
    });
    const owner = { pluginId: "guard", source: "inline:guard", handler };
    expect(generation.hooks).toEqual([
      expect.objectContaining({ ...owner, events: ["agent_end"], priority: 3, entryPoint: "on" }),
      expect.objectContaining({
        ...owner,
        events: ["gateway_pre_start"],
        entryPoint: "lifecycle.on",
        alias: "boot.pre",
      }),
      expect.objectContaining({
        ...owner,
        events: ["session_start", "session_end"],
        entryPoint: "registerHook",
      }),
    ]);
  });

  it("accepts every hook of the catalog", async () => {
    const { generation } = await loaded((api) => {
      api.registerHook(HOOK_NAMES, () => undefined);
    });
    expect(generation.plugins[0]?.hookNames).toEqual(HOOK_NAMES);
  });
});
