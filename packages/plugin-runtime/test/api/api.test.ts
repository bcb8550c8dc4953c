import { homedir } from "node:os";
import { join } from "node:path";
import type { OpenClawPluginApi } from "@openclaw/plugin-sdk";
import type {
  AnyAgentTool,
  ToolFactoryContext,
  ToolSessionContext,
} from "@openclaw/plugin-sdk/tools";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { PluginGeneration } from "../../src/index.js";
import { createFileHost } from "../support/file-host.js";
import { createTestHost, plugin } from "../support/host.js";

const noop = () => {};
const tool = (name: string): AnyAgentTool => ({
  name,
  description: name,
  parameters: {},
  execute: () => name,
});

afterEach(() => {
  vi.useRealTimers();
});

describe("api fields", () => {
  it("[PLUG-028] hold the plugin's identity, configuration and permissions", async () => {
    let seen: OpenClawPluginApi | undefined;
    const host = createFileHost(
      [
        {
          id: "notes",
          name: "Notes",
          version: "1.0.0",
          description: "Keeps notes.",
          register: (api) => {
            seen = api;
          },
        },
      ],
      { entries: { notes: { config: { folder: "notes" } } } },
    );
    await host.runtime.load();
    const rootDir = host.folder("notes");
    expect(seen).toMatchObject({
      id: "notes",
      name: "Notes",
      version: "1.0.0",
      description: "Keeps notes.",
      origin: "global",
      source: join(rootDir, "index.mjs"),
      rootDir,
      pluginConfig: { folder: "notes" },
      registrationMode: "full",
      lifecycle: { on: expect.any(Function), signal: expect.any(AbortSignal) },
      runtime: { version: "unknown" },
    });
    expect(seen?.config).toHaveProperty("plugins");
    expect(Object.isFrozen(seen?.config)).toBe(true);
    expect(Object.isFrozen(seen?.pluginConfig)).toBe(true);
    for (const level of ["debug", "info", "warn", "error"] as const) {
      expect(seen?.logger[level]).toBeTypeOf("function");
    }
    expect(() => seen?.store.kv.get("key")).toThrow(/asked for store\.kv\.get/);
    expect(seen?.resolvePath("data/x.json")).toBe(join(rootDir, "data/x.json"));
    expect(seen?.resolvePath("/etc/hosts")).toBe("/etc/hosts");
    expect(seen?.resolvePath("~/x")).toBe(join(homedir(), "x"));
    expect(seen?.resolvePath("~")).toBe(homedir());
  });

  it("include the plugin's store, opened on first use", async () => {
    const opened: string[] = [];
    let api: OpenClawPluginApi | undefined;
    const kv = { get: async (key: string) => `value of ${key}` };
    const { runtime } = createTestHost(
      [
        plugin((given) => {
          api = given;
        }, "notes"),
      ],
      {},
      {
        hostServices: {
          openStore: (id) => {
            opened.push(id);
            return { kv } as never;
          },
        },
      },
    );
    await runtime.load();
    expect(opened).toEqual([]);
    expect(await api?.store.kv.get("a")).toBe("value of a");
    expect(await api?.store.kv.get("b")).toBe("value of b");
    expect(opened).toEqual(["notes"]);
    await runtime.dispose();
    expect(() => api?.store).toThrow(/api\.store after it was unloaded/);
  });
});

describe("api.registerTool", () => {
  it("[PLUG-029] accepts tools and tool factories with names of up to 64 characters", async () => {
    const { runtime } = createTestHost([
      plugin((api) => {
        api.registerTool({
          ...tool("find"),
          label: "Find",
          execute: async (_id, _params, _signal, onUpdate) => {
            onUpdate("half");
            return { content: [{ type: "text", text: "all" }], details: 1, terminate: true };
          },
          approval: "unless-granted",
          timeoutMs: 1000,
          parallelSafe: true,
          idempotent: true,
          ownerOnly: true,
        });
        api.registerTool(() => tool("one"), { name: "one" });
        api.registerTool(() => [tool("two"), tool("three")], { names: ["two", "three"] });
        api.registerTool(() => null);
        api.registerTool({ contextVersion: 2, create: () => tool("four") }, { optional: true });
        api.registerTool(tool("n".repeat(64)));
      }),
    ]);
    const { tools, diagnostics } = await runtime.load();
    expect(tools.map(({ names, optional }) => [names, optional])).toEqual([
      [["find"], false],
      [["one"], false],
      [["two", "three"], false],
      [[], false],
      [[], true],
      [["n".repeat(64)], false],
    ]);
    expect(tools[0]?.tool).toMatchObject({ label: "Find", approval: "unless-granted" });
    expect(await Promise.all(tools.slice(1, 5).map(({ tool: made }) => make(made)))).toMatchObject([
      { name: "one" },
      [{ name: "two" }, { name: "three" }],
      null,
      { name: "four" },
    ]);
    expect(diagnostics).toEqual([]);
    for (const name of ["", "two words", "n".repeat(65), "ä", "a.b", 7]) {
      const wrong = createTestHost([plugin((api) => api.registerTool(tool(name as string)))]);
      const generation = await wrong.runtime.load();
      expect(generation.plugins[0]).toMatchObject({ status: "loaded", toolNames: [] });
      expect(generation.diagnostics[0]?.message).toContain("wrong name: expected 1 to 64 of");
    }
  });

  it("[PLUG-030] passes session, configuration and agent folder to a factory", async () => {
    const contexts: ToolFactoryContext[] = [];
    const host = createFileHost([
      {
        id: "maker",
        register: (api) =>
          api.registerTool(
            (context) => {
              contexts.push(context);
              return null;
            },
            { names: ["made"] },
          ),
      },
    ]);
    const { tools } = await host.runtime.load();
    await make(tools[0]?.tool);
    // The first is that of the sample when the plugin was loaded.
    expect(contexts.slice(1)).toEqual([
      {
        ...SESSION,
        agentDir: join(host.stateDir, "agents", "main"),
        config: { plugins: {} },
      },
    ]);
  });

  it.each([
    [{ contextVersion: 3, create: noop }, "contextVersion: expected 2, got 3"],
    [{ contextVersion: 2 }, "create: expected a function, got undefined"],
  ])("rejects a factory of another version: %j", async (factory, problem) => {
    const { runtime } = createTestHost([plugin((api) => api.registerTool(factory as never))]);
    const { diagnostics } = await runtime.load();
    expect(diagnostics[0]?.message).toContain(`api.registerTool with a wrong ${problem}`);
  });
});

describe("plugin register", () => {
  it("[PLUG-022] is awaited, and includes every registration before or after an await", async () => {
    vi.useFakeTimers();
    const { runtime } = createTestHost([
      plugin(async (api) => {
        api.registerTool(tool("before"));
        await new Promise((resolve) => setTimeout(resolve, 29_000));
        api.registerTool(tool("after"));
      }),
    ]);
    const loading = runtime.load();
    await vi.advanceTimersByTimeAsync(29_000);
    const { tools, diagnostics } = await loading;
    expect(tools.flatMap(({ names }) => names)).toEqual(["before", "after"]);
    expect(diagnostics).toEqual([]);
  });

  it.each([
    [undefined, 30_000],
    [1, 1],
    [600_000, 600_000],
  ])(
    "[PLUG-022] has a deadline: with registerTimeoutMs %s it is %d ms",
    async (asked, deadline) => {
      vi.useFakeTimers();
      const entry = asked === undefined ? {} : { registerTimeoutMs: asked };
      const { runtime } = createTestHost([plugin(() => new Promise(() => {}))], {
        entries: { guard: entry },
      });
      let generation: PluginGeneration | undefined;
      const loading = runtime.load().then((loaded) => {
        generation = loaded;
      });
      await vi.advanceTimersByTimeAsync(deadline - 1);
      expect(generation).toBeUndefined();
      await vi.advanceTimersByTimeAsync(1);
      await loading;
      expect(generation?.plugins[0]).toMatchObject({
        status: "error",
        error: {
          code: "register-timeout",
          message: expect.stringContaining(`did not settle within ${deadline} ms`),
        },
      });
    },
  );

  it.each<[string, (api: OpenClawPluginApi) => Promise<void> | void]>([
    ["throws", fail],
    ["rejects", async (api) => fail(api)],
    [
      "misses its deadline",
      async (api) => {
        registerAll(api);
        await new Promise(() => {});
      },
    ],
  ])(
    "[PLUG-023] leaves nothing when it %s, gives the reason, and lets other plugins load",
    async (_how, register) => {
      const started: string[] = [];
      const ended: string[] = [];
      const { runtime } = createTestHost(
        [
          plugin((api) => api.registerTool(tool("other")), "first"),
          plugin((api) => {
            api.registerService({ id: "ticker", start: () => void started.push("ticker") });
            const timer = setInterval(noop, 1000);
            api.lifecycle.onDispose(() => {
              ended.push("timer");
              clearInterval(timer);
            });
            api.lifecycle.signal.addEventListener("abort", () => ended.push("signal"));
            return register(api);
          }, "broken"),
          plugin((api) => void api.on("agent_end", noop), "last"),
        ],
        { entries: { broken: { registerTimeoutMs: 20 } } },
      );
      const generation = await runtime.load();
      await runtime.start({
        event: { port: 0, host: "127.0.0.1", generation: 1 },
        context: { callDepth: 0 },
      });
      expect(generation.plugins.map(({ id, status }) => [id, status])).toEqual([
        ["first", "loaded"],
        ["broken", "error"],
        ["last", "loaded"],
      ]);
      expect(generation.diagnostics.filter(({ level }) => level === "error")).toMatchObject([
        { pluginId: "broken", code: expect.stringMatching(/^register-/), hint: expect.any(String) },
      ]);
      expect(generation.tools.map(({ pluginId }) => pluginId)).toEqual(["first"]);
      expect(generation.hooks.map(({ pluginId }) => pluginId)).toEqual(["last"]);
      expect([...generation.httpRoutes, ...generation.services, ...generation.commands]).toEqual(
        [],
      );
      expect(runtime.inspection.registrations().map(({ owner }) => owner)).toEqual(["last"]);
      expect(started).toEqual([]);
      expect(ended).toEqual(["signal", "timer"]);
      await runtime.dispose();
    },
  );

  it("[PLUG-024] runs once per generation for all callers: imports in parallel, registers in discovery order with requirements first", async () => {
    const order: string[] = [];
    const register = (api: OpenClawPluginApi) => {
      order.push(`register ${api.id}`);
    };
    // The first module waits for the last one, so importing one after another would never end.
    let open = noop;
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    Object.assign(globalThis, { gate, open });
    const host = createFileHost([
      { id: "a", requiresPlugins: ["c"], code: "await gate;", register },
      { id: "b", register },
      { id: "c", code: "open();", register },
    ]);
    const [first, second] = await Promise.all([
      host.runtime.load(),
      host.runtime.load(),
      host.runtime.discover(),
    ]);
    expect(first).toBe(second);
    void host.runtime.current;
    host.runtime.pin().release();
    expect(order).toEqual(["register b", "register c", "register a"]);
    await host.runtime.load();
    expect(order).toHaveLength(6);
  });
});

const SESSION: ToolSessionContext = {
  sessionKey: "agent:main:main",
  sessionId: "session-1",
  agentId: "main",
  workspaceDir: "/workspace",
  messageChannel: "telegram",
  agentAccountId: "work",
  requesterSenderId: "42",
  senderIsOwner: true,
  sandboxed: false,
  activeModel: "local/m",
  deliveryContext: { channel: "telegram", to: "telegram:42" },
};

async function make(made: PluginGeneration["tools"][number]["tool"] | undefined) {
  return typeof made === "function" ? made(SESSION) : made;
}

function registerAll(api: OpenClawPluginApi) {
  api.registerTool(tool("half"));
  api.registerHttpRoute({ path: "/half", handler: noop });
  api.registerCommand({ name: "half", description: "Half.", handler: () => ({}) });
  api.on("agent_end", noop);
}

function fail(api: OpenClawPluginApi): never {
  registerAll(api);
  throw new Error("half way");
}
