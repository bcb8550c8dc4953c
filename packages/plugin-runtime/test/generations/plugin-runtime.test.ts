import { type PluginsConfiguration, pluginsConfigurationSchema } from "@openclaw/plugin-discovery";
import { describe, expect, it, vi } from "vitest";
import { PluginRuntimeDisposedError } from "../../src/index.js";
import { createTestHost, plugin } from "../support/host.js";

const CONTEXT = { callDepth: 0 };
const tool = (name: string) => ({ name, description: name, parameters: {}, execute: () => name });
const provider = (id: string) => ({
  id,
  defaultModel: "m",
  paid: false,
  setup: "nothing",
  languageModel: () => Promise.reject(new Error("not here")),
});

describe("createPluginRuntime", () => {
  it("has an empty generation 0 before the first load", () => {
    const { runtime } = createTestHost([plugin(() => {})]);
    const { number, ...lists } = runtime.current;
    expect(number).toBe(0);
    expect(lists).toMatchObject({ plugins: [], tools: [], hooks: [], diagnostics: [] });
    expect(Object.values(lists).flat()).toEqual([]);
  });

  it("loads plugins into generation 1 and lists every registration", async () => {
    const { runtime } = createTestHost([
      {
        id: "search",
        name: "Search",
        version: "1.0.0",
        description: "Finds things.",
        kind: "example",
        register(api) {
          api.registerTool(tool("find"));
          api.registerTool(() => tool("made"), { names: ["made", "built"], optional: true });
          api.registerProvider(provider("local"));
          api.on("agent_end", () => {});
        },
      },
    ]);
    const generation = await runtime.load();
    expect(generation).toBe(runtime.current);
    expect(generation.number).toBe(1);
    expect(generation.plugins).toMatchObject([
      {
        id: "search",
        name: "Search",
        version: "1.0.0",
        description: "Finds things.",
        kind: "example",
        source: "inline:search",
        rootDir: process.cwd(),
        origin: "bundled",
        configSchema: false,
        enabled: true,
        status: "loaded",
        toolNames: ["find", "made", "built"],
        providerIds: ["local"],
        hookNames: ["agent_end"],
        generation: 1,
        loader: "inline",
        loadMs: 0,
        registerMs: expect.any(Number),
      },
    ]);
    const owner = { pluginId: "search", source: "inline:search" };
    expect(generation.tools).toMatchObject([
      { ...owner, names: ["find"], optional: false },
      { ...owner, names: ["made", "built"], optional: true },
    ]);
    expect(generation.providers).toMatchObject([{ ...owner, provider: { id: "local" } }]);
    expect(generation.hooks).toMatchObject([{ ...owner, events: ["agent_end"] }]);
  });

  it("returns immutable registries", async () => {
    const { runtime } = createTestHost([plugin((api) => api.registerTool(tool("find")))]);
    const generation = await runtime.load();
    expect(() => Object.assign(generation, { number: 9 })).toThrow(TypeError);
    for (const list of [generation.tools, generation.plugins, generation.diagnostics]) {
      expect(Object.isFrozen(list)).toBe(true);
    }
    expect(Object.isFrozen(generation.plugins[0]?.toolNames)).toBe(true);
  });

  it("shares one load between all concurrent callers", async () => {
    let registered = 0;
    const { runtime } = createTestHost([
      plugin(async () => {
        registered += 1;
        await new Promise((resolve) => setImmediate(resolve));
      }),
    ]);
    const [first, second] = await Promise.all([runtime.load(), runtime.load()]);
    expect(first).toBe(second);
    expect(registered).toBe(1);
  });

  it("gives a plugin its frozen view of the configuration, with secrets redacted", async () => {
    let seen: Readonly<Record<string, unknown>> = {};
    const config = {
      gateway: { port: 18_789, auth: { token: "hunter2" } },
      models: [{ apiKey: "sk-1", name: "big" }],
      plugins: { entries: { other: { config: { anything: 1 }, env: { A: "1" } } } },
    };
    const { runtime } = createTestHost(
      [
        plugin((api) => {
          seen = api.config;
        }),
      ],
      {},
      { config },
    );
    await runtime.load();
    expect(seen).toEqual({
      gateway: { port: 18_789, auth: { token: "[redacted]" } },
      models: [{ apiKey: "[redacted]", name: "big" }],
      plugins: { entries: { other: { config: "[redacted]", env: "[redacted]" } } },
    });
    expect(Object.isFrozen(seen.gateway)).toBe(true);
    expect(config.gateway.auth.token).toBe("hunter2");
    // The host's own hooks receive the same view.
    expect(runtime.visibleConfig).toEqual(seen);
  });

  it("uses the host's own view of the configuration if given", async () => {
    let seen: unknown;
    const { runtime } = createTestHost(
      [
        plugin((api) => {
          seen = api.config;
        }),
      ],
      {},
      { hostServices: { visibleConfig: (id) => ({ for: id }) } },
    );
    await runtime.load();
    expect(seen).toEqual({ for: "guard" });
  });

  it("resolves paths from the plugin's folder and from the home folder", async () => {
    const paths: string[] = [];
    const { runtime } = createTestHost(
      [
        plugin((api) => {
          paths.push(
            api.resolvePath("data/x.json"),
            api.resolvePath("/etc/hosts"),
            api.resolvePath("~"),
          );
          paths.push(api.resolvePath("~/y"));
        }),
      ],
      {},
      { workspaceDir: "/workspace" },
    );
    await runtime.load();
    expect(paths.slice(0, 2)).toEqual(["/workspace/data/x.json", "/etc/hosts"]);
    expect(paths[3]).toBe(`${paths[2]}/y`);
  });

  it("writes a plugin's log lines with its ID", async () => {
    const { runtime, lines } = createTestHost([
      plugin((api) => {
        api.logger.debug("d");
        api.logger.info("i", { count: 1 });
        api.logger.warn("w");
        api.logger.error("e");
      }),
    ]);
    await runtime.load();
    expect(lines).toEqual([
      { level: "debug", message: "d", fields: { pluginId: "guard" } },
      { level: "info", message: "i", fields: { pluginId: "guard", count: 1 } },
      { level: "warn", message: "w", fields: { pluginId: "guard" } },
      { level: "error", message: "e", fields: { pluginId: "guard" } },
    ]);
  });
});

describe("invalid plugin registration", () => {
  it.each<[string, unknown, string]>([
    ["no tool", undefined, "tool"],
    ["a tool without a name", { execute() {} }, "name"],
    ["a name of forbidden characters", { ...tool("two words") }, "name"],
    ["a tool without execute", { ...tool("t"), execute: 1 }, 'execute of tool "t"'],
    ["a tool without parameters", { ...tool("t"), parameters: null }, 'parameters of tool "t"'],
    ["a tool without description", { ...tool("t"), description: 1 }, 'description of tool "t"'],
  ])("is reported: %s", async (_what, wrong, argument) => {
    const { runtime } = createTestHost([plugin((api) => api.registerTool(wrong as never))]);
    const { plugins, diagnostics } = await runtime.load();
    expect(plugins[0]).toMatchObject({ status: "loaded", toolNames: [] });
    expect(diagnostics[0]?.message).toContain(`api.registerTool with a wrong ${argument}`);
  });

  it.each<[string, unknown, string]>([
    ["no provider", null, "provider"],
    ["an id with a slash", { ...provider("a/b") }, "id"],
    [
      "no languageModel",
      { ...provider("a"), languageModel: undefined },
      "languageModel of provider",
    ],
  ])("is told of %s", async (_what, wrong, argument) => {
    const { runtime } = createTestHost([plugin((api) => api.registerProvider(wrong as never))]);
    const { diagnostics } = await runtime.load();
    expect(diagnostics[0]?.message).toContain(`api.registerProvider with a wrong ${argument}`);
  });

  it("is reported for an inline plugin without a register", async () => {
    const { runtime } = createTestHost([{ id: "empty" } as never]);
    const { plugins, diagnostics } = await runtime.load();
    expect(plugins[0]).toMatchObject({ id: "empty", status: "error" });
    expect(diagnostics[0]).toMatchObject({ code: "export-invalid" });
  });
});

describe("registration after register has settled", () => {
  it("applies to new holders of the generation, and is reported", async () => {
    let offer = (_name: string) => {};
    const { runtime } = createTestHost([
      plugin((api) => {
        api.registerTool(tool("first"));
        offer = (name) => api.registerTool(tool(name));
      }),
      plugin((api) => api.registerTool(tool("second")), "other"),
    ]);
    await runtime.load();
    const pin = runtime.pin();
    offer("late");
    offer("second");
    expect(pin.generation.tools).toHaveLength(2);
    const { tools, diagnostics, number } = runtime.current;
    expect(number).toBe(1);
    expect(tools.flatMap(({ names }) => names)).toEqual(["first", "second", "late"]);
    expect(diagnostics.map(({ code }) => code)).toEqual([
      "late-registration",
      "late-registration",
      "name-taken",
    ]);
    expect(diagnostics[2]?.message).toContain('plugin "other" has a tool of that name');
    pin.release();
  });
});

describe("second load", () => {
  it("creates generation 2 for new dispatches and holders; old holders keep theirs", async () => {
    let version = 0;
    const { runtime } = createTestHost([
      plugin((api) => {
        version += 1;
        const mine = version;
        api.registerTool(tool(`tool-${mine}`));
        api.on("before_prompt_build", () => ({ appendContext: `version ${mine}` }));
      }),
    ]);
    await runtime.load();
    const pin = runtime.pin();
    await runtime.load();
    const event = { prompt: "", messages: [] };
    expect(await pin.hooks.rewrite("before_prompt_build", event, CONTEXT)).toEqual({
      appendContext: "version 1",
    });
    expect(await runtime.hooks.rewrite("before_prompt_build", event, CONTEXT)).toEqual({
      appendContext: "version 2",
    });
    expect(pin.generation.tools.flatMap(({ names }) => names)).toEqual(["tool-1"]);
    expect(runtime.current.tools.flatMap(({ names }) => names)).toEqual(["tool-2"]);
    expect(runtime.current.number).toBe(2);
    pin.release();
    pin.release();
    await runtime.dispose();
  });

  it("keeps a plugin that fails now as it was", async () => {
    let broken = false;
    const { runtime } = createTestHost([
      plugin((api) => {
        if (broken) throw new Error("no more");
        api.on("before_prompt_build", () => ({ appendContext: "still here" }));
      }),
      plugin((api) => api.registerTool(tool("healthy")), "healthy"),
    ]);
    await runtime.load();
    broken = true;
    const { plugins, diagnostics } = await runtime.load();
    expect(plugins).toMatchObject([
      { id: "guard", status: "loaded", generation: 1, hookNames: ["before_prompt_build"] },
      { id: "healthy", status: "loaded", generation: 2 },
    ]);
    expect(diagnostics.map(({ code }) => code)).toEqual(["register-failed", "reload-kept-old"]);
    expect(
      await runtime.hooks.rewrite("before_prompt_build", { prompt: "", messages: [] }, CONTEXT),
    ).toEqual({ appendContext: "still here" });
  });

  it("disposes old plugins only when their generation is unused", async () => {
    const ended: string[] = [];
    let version = 0;
    const { runtime } = createTestHost([
      plugin((api) => {
        version += 1;
        const mine = `version ${version}`;
        api.lifecycle.onDispose(() => void ended.push(mine));
      }),
    ]);
    await runtime.load();
    const first = runtime.pin();
    const second = runtime.pin();
    await runtime.load();
    first.release();
    first.release();
    await new Promise((resolve) => setImmediate(resolve));
    expect(ended).toEqual([]);
    second.release();
    await vi.waitFor(() => expect(ended).toEqual(["version 1"]));
    await runtime.dispose();
    expect(ended).toEqual(["version 1", "version 2"]);
  });

  it("disposes old plugins after 30 seconds even when a holder never releases them", async () => {
    vi.useFakeTimers();
    try {
      const ended: number[] = [];
      const { runtime } = createTestHost([
        plugin((api) => api.lifecycle.onDispose(() => void ended.push(Date.now()))),
      ]);
      await runtime.load();
      runtime.pin();
      await runtime.load();
      await vi.advanceTimersByTimeAsync(29_999);
      expect(ended).toEqual([]);
      await vi.advanceTimersByTimeAsync(1);
      expect(ended).toHaveLength(1);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe("dispose", () => {
  it("disposes the plugins, and rejects later calls", async () => {
    const { runtime } = createTestHost([
      plugin((api) => {
        api.on("agent_end", () => {
          throw new Error("ran after dispose");
        });
      }),
    ]);
    await runtime.load();
    await runtime.dispose();
    await runtime.dispose();
    expect(runtime.inspection.registrations()).toEqual([]);
    expect(runtime.current.plugins).toEqual([]);
    expect(() => runtime.pin()).toThrow(PluginRuntimeDisposedError);
    await expect(runtime.load()).rejects.toThrow(PluginRuntimeDisposedError);
  });

  it("also disposes the plugins of an older generation that is still in use", async () => {
    const ended: number[] = [];
    let version = 0;
    const { runtime } = createTestHost([
      plugin((api) => {
        version += 1;
        const mine = version;
        api.lifecycle.onDispose(() => void ended.push(mine));
      }),
    ]);
    await runtime.load();
    const pin = runtime.pin();
    await runtime.load();
    await runtime.dispose();
    expect(ended).toEqual([2, 1]);
    pin.release();
  });

  it("waits for a concurrent load, and undoes it", async () => {
    const ended: string[] = [];
    const { runtime } = createTestHost([
      plugin(async (api) => {
        api.lifecycle.onDispose(() => void ended.push(api.id));
        await new Promise((resolve) => setImmediate(resolve));
      }),
    ]);
    const loading = runtime.load();
    await runtime.dispose();
    await expect(loading).rejects.toThrow(PluginRuntimeDisposedError);
    expect(ended).toEqual(["guard"]);
  });
});

describe("discover", () => {
  it("reports enable states without registering anything", async () => {
    const { runtime } = createTestHost(
      [plugin(() => expect.unreachable()), plugin(() => expect.unreachable(), "other")],
      { deny: ["other"] },
    );
    const { plugins } = await runtime.discover();
    expect(plugins).toMatchObject([
      { id: "guard", enabled: true },
      {
        id: "other",
        enabled: false,
        reason: "denied",
        hint: expect.stringContaining("plugins.deny"),
      },
    ]);
    expect(runtime.current.number).toBe(0);
  });
});

describe("schema of the plugins section", () => {
  it("[PLUG-014] accepts the values of its type and rejects unknown keys and wrong numbers", async () => {
    const { Compile } = await import("typebox/compile");
    const validator = Compile(pluginsConfigurationSchema);
    const full: PluginsConfiguration = {
      enabled: ["a"],
      allow: ["a"],
      deny: ["b"],
      disabled: [],
      strict: true,
      permissions: "warn",
      load: { paths: ["./plugins"] },
      slots: { memory: "none", contextEngine: "x" },
      entries: {
        a: {
          enabled: true,
          config: { any: 1 },
          env: { KEY: "value" },
          hooks: {
            timeoutMs: 600_000,
            timeouts: { agent_end: 1 },
            allowConversationAccess: true,
            allowPromptInjection: false,
          },
          http: { auth: "plugin" },
          ignoreCompat: false,
          registerTimeoutMs: 5,
        },
      },
    };
    expect(validator.Check(full)).toBe(true);
    expect(validator.Check({})).toBe(true);
    for (const wrong of [
      { enable: true },
      { entries: { a: { hooks: { timeoutMs: 0 } } } },
      { entries: { a: { hooks: { timeouts: { agent_end: 600_001 } } } } },
      { entries: { a: { registerTimeoutMs: 1.5 } } },
      { permissions: "strict!" },
    ]) {
      expect(validator.Check(wrong)).toBe(false);
    }
  });
});
