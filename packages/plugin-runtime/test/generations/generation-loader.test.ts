import type { OpenClawPluginApi } from "@openclaw/plugin-sdk";
import { afterEach, describe, expect, it, vi } from "vitest";
import {
  type PluginGeneration,
  PluginNotFoundError,
  type PluginRuntime,
  REGISTRY_KINDS,
  type RegistryKind,
} from "../../src/index.js";
import { createFileHost } from "../support/file-host.js";
import { createTestHost, plugin } from "../support/host.js";

const noop = () => {};
const CONTEXT = { callDepth: 0 };
const KINDS = Object.keys(REGISTRY_KINDS) as RegistryKind[];
const START = { event: { port: 0, host: "127.0.0.1", generation: 1 }, context: CONTEXT };

afterEach(() => {
  vi.useRealTimers();
});

const tool = (name: string) => ({ name, description: "", parameters: {}, execute: () => name });

/** One of everything that a runtime holds for a plugin. */
function registerMuch(api: OpenClawPluginApi, said: string[] = []) {
  api.registerTool(tool("find"));
  api.on("before_prompt_build", () => ({ appendContext: "found" }));
  api.lifecycle.on("tool.pre", noop);
  api.registerCommand({ name: "find", description: "Finds.", handler: () => ({}) });
  api.registerHttpRoute({ path: "/find", auth: "gateway", handler: noop });
  api.registerGatewayMethod("finder.find", noop);
  api.registerService({
    id: "finder",
    start: () => void said.push("start"),
    stop: () => void said.push("stop"),
  });
  api.registerSessionExtension({
    namespace: "found",
    description: "What was found.",
    cleanup: ({ reason }) => void said.push(`session ${reason}`),
  });
  api.lifecycle.registerRuntimeLifecycle({
    id: "cache",
    cleanup: ({ reason }) => void said.push(`cleanup ${reason}`),
  });
  const timer = setInterval(noop, 60_000);
  api.lifecycle.onDispose(() => {
    said.push("disposed");
    clearInterval(timer);
  });
  api.lifecycle.signal.addEventListener("abort", () => said.push("aborted"));
}

/** Number of objects that a runtime keeps, by kind. */
function counted(runtime: PluginRuntime) {
  const { current } = runtime;
  return {
    plugins: current.plugins.length,
    lists: KINDS.map((kind) => [kind, current[kind].length]),
    diagnostics: current.diagnostics.length,
    handlers: runtime.inspection.registrations().length,
    timers: process.getActiveResourcesInfo().filter((resource) => resource === "Timeout").length,
  };
}

function toolNames({ tools }: PluginGeneration): string[] {
  return tools.flatMap(({ names }) => names);
}

describe("disabled or removed plugin", () => {
  it("[PLUG-048] leaves nothing in registry, routes, services, dispatch lists or timers", async () => {
    const said: string[] = [];
    const register = (api: OpenClawPluginApi) => registerMuch(api, said);
    const host = createFileHost([{ id: "finder", register }]);
    const { runtime } = host;
    await runtime.load();
    await runtime.start(START);
    const empty = createTestHost([]);
    await empty.runtime.load();
    const on = counted(runtime);
    expect(said).toEqual(["start"]);
    const off = { config: { plugins: { deny: ["finder"] } } };
    const { outcome, generation, retired } = await runtime.reload("finder", off);
    await retired;
    expect(outcome).toBe("unloaded");
    expect(generation.plugins).toMatchObject([{ id: "finder", reason: "denied" }]);
    for (const kind of KINDS) expect(generation[kind], kind).toEqual([]);
    expect(runtime.inspection.registrations()).toEqual([]);
    expect(counted(runtime).timers).toBe(on.timers - 1);
    expect(said).toEqual([
      "start",
      "stop",
      "aborted",
      "cleanup disable",
      "session disable",
      "disposed",
    ]);
    expect(
      await runtime.hooks.rewrite("before_prompt_build", { prompt: "", messages: [] }, CONTEXT),
    ).toBeUndefined();
    await runtime.dispose();
  });

  it("[PLUG-048] leaves the same counts after 1 000 reloads as after one", async () => {
    const { runtime } = createTestHost([
      plugin((api) => registerMuch(api), "finder"),
      plugin((api) => api.registerTool(tool("other")), "other"),
    ]);
    await runtime.load();
    await runtime.start(START);
    const other = runtime.current.tools[1];
    const cycle = async () => {
      const { outcome, retired } = await runtime.reload("finder");
      expect(outcome).toBe("loaded");
      await retired;
    };
    await cycle();
    const first = counted(runtime);
    for (let round = 1; round < 1_000; round += 1) await cycle();
    const last = counted(runtime);
    // A restart is recommended once, after 200 reloads.
    expect(last).toEqual({ ...first, diagnostics: first.diagnostics + 1 });
    expect(runtime.current.number).toBe(1_001);
    expect(runtime.current.tools[1]).toBe(other);
    await runtime.dispose();
    expect(runtime.inspection.registrations()).toEqual([]);
  }, 60_000);

  it("tells the cleanups of a reload that the plugin continues", async () => {
    const said: string[] = [];
    const { runtime } = createTestHost([plugin((api) => registerMuch(api, said))]);
    await runtime.load();
    const { retired } = await runtime.reload("guard");
    await retired;
    expect(said).toEqual(["aborted", "cleanup restart", "session restart", "disposed"]);
    await runtime.dispose();
  });
});

describe("plugin reload", () => {
  it("[PLUG-049] activates a plugin only after import, register and services have succeeded", async () => {
    let version = 1;
    let fails: "" | "register" | "start" = "";
    const said: string[] = [];
    const { runtime } = createTestHost([
      plugin((api) => {
        const mine = version;
        api.registerTool(tool(`tool-${mine}`));
        api.on("before_prompt_build", () => ({ appendContext: `version ${mine}` }));
        api.registerService({
          id: "pump",
          start: () => {
            if (fails === "start") throw new Error("no water");
            said.push(`start ${mine}`);
          },
          stop: () => void said.push(`stop ${mine}`),
        });
        if (fails === "register") throw new Error("no more");
      }),
      plugin((api) => api.registerTool(tool("other")), "other"),
    ]);
    const answer = () =>
      runtime.hooks.rewrite("before_prompt_build", { prompt: "", messages: [] }, CONTEXT);
    await runtime.load();
    await runtime.start(START);
    const serving = runtime.current;

    for (const reason of ["register", "start"] as const) {
      version = 2;
      fails = reason;
      const { outcome, generation } = await runtime.reload("guard");
      expect(outcome).toBe("kept");
      expect(generation.number).toBe(1);
      expect(toolNames(generation)).toEqual(["tool-1", "other"]);
      expect(generation.tools[0]).toBe(serving.tools[0]);
      expect(await answer()).toEqual({ appendContext: "version 1" });
      expect(generation.plugins[0]).toMatchObject({ status: "loaded", generation: 1 });
      const told = generation.diagnostics.map(({ code, pluginId }) => [code, pluginId]);
      expect(told).toEqual([
        [reason === "start" ? "service-failed" : "register-failed", "guard"],
        ["reload-kept-old", "guard"],
      ]);
      expect(said).toEqual(["start 1"]);
    }

    fails = "";
    const { outcome, generation, retired } = await runtime.reload("guard");
    await retired;
    expect(outcome).toBe("loaded");
    expect(toolNames(generation)).toEqual(["tool-2", "other"]);
    expect(generation.diagnostics).toEqual([]);
    expect(await answer()).toEqual({ appendContext: "version 2" });
    // The new service runs before the old one ends, so that there is always one.
    expect(said).toEqual(["start 1", "start 2", "stop 1"]);
    await runtime.dispose();
  });

  it("[PLUG-049] fails no concurrent call", async () => {
    let letGo = noop;
    let version = 0;
    const { runtime } = createTestHost([
      plugin(async (api) => {
        version += 1;
        const mine = version;
        api.on("before_prompt_build", () => ({ appendContext: `version ${mine}` }));
        if (mine === 1) return;
        await new Promise<void>((resolve) => {
          letGo = resolve;
        });
      }),
    ]);
    await runtime.load();
    const reloading = runtime.reload("guard");
    const answers: unknown[] = [];
    const ask = async () => {
      const event = { prompt: "", messages: [] };
      answers.push(await runtime.hooks.rewrite("before_prompt_build", event, CONTEXT));
    };
    await ask();
    await vi.waitFor(() => expect(version).toBe(2));
    await ask();
    letGo();
    await reloading;
    await ask();
    expect(answers).toEqual([
      { appendContext: "version 1" },
      { appendContext: "version 1" },
      { appendContext: "version 2" },
    ]);
    await runtime.dispose();
  });

  it("[PLUG-050] lets work in flight finish on its generation, and disposes the old plugin afterwards", async () => {
    const said: string[] = [];
    let version = 0;
    let letGo = noop;
    const { runtime } = createTestHost([
      plugin((api) => {
        version += 1;
        const mine = version;
        api.registerTool(tool(`tool-${mine}`));
        api.lifecycle.onDispose(() => void said.push(`ended ${mine}`));
        api.on("before_prompt_build", async () => {
          if (mine === 1) {
            await new Promise<void>((resolve) => {
              letGo = resolve;
            });
          }
          return { appendContext: `version ${mine}` };
        });
      }),
    ]);
    await runtime.load();
    const changes: unknown[] = [];
    using _listening = runtime.onChanged((change) => void changes.push(change));
    const event = { prompt: "", messages: [] };
    const turn = runtime.pin();
    const flying = runtime.hooks.rewrite("before_prompt_build", event, CONTEXT);
    const { retired } = await runtime.reload("guard");
    expect(changes).toEqual([{ generation: 2, loaded: ["guard"], unloaded: [] }]);
    expect(toolNames(turn.generation)).toEqual(["tool-1"]);
    letGo();
    expect(await flying).toEqual({ appendContext: "version 1" });
    await new Promise((resolve) => setImmediate(resolve));
    expect(said).toEqual([]);
    turn.release();
    await retired;
    expect(said).toEqual(["ended 1"]);
    await runtime.dispose();
  });

  it("[PLUG-050] disposes the old plugin after 30 seconds even if a turn still uses it", async () => {
    vi.useFakeTimers();
    const ended: number[] = [];
    const { runtime } = createTestHost([
      plugin((api) => api.lifecycle.onDispose(() => void ended.push(performance.now()))),
    ]);
    await runtime.load();
    const holder = runtime.pin();
    const began = performance.now();
    await runtime.reload("guard");
    await vi.advanceTimersByTimeAsync(29_999);
    expect(ended).toEqual([]);
    expect(holder.isWhole()).toBe(true);
    await vi.advanceTimersByTimeAsync(1);
    expect(ended.map((at) => at - began)).toEqual([30_000]);
    // A long-term holder can check that its generation ended.
    expect(holder.isWhole()).toBe(false);
    expect(runtime.pin().isWhole()).toBe(true);
  });

  it("[PLUG-050] recommends a restart after 200 reloads", async () => {
    const { runtime } = createTestHost([plugin(noop)]);
    await runtime.load();
    const advice = () =>
      runtime.current.diagnostics.filter(({ code }) => code === "restart-advised");
    for (let round = 0; round < 199; round += 1) await runtime.reload("guard");
    expect(advice()).toEqual([]);
    await runtime.reload("guard");
    expect(advice()).toMatchObject([
      { level: "warn", message: expect.stringContaining("200 times"), hint: expect.any(String) },
    ]);
    await runtime.dispose();
  });

  it("adds a plugin that was disabled, at the position of a fresh start", async () => {
    const host = createFileHost(
      [
        { id: "a", register: (api) => api.registerTool(tool("a")) },
        { id: "b", register: (api) => api.registerTool(tool("b")) },
        { id: "c", register: (api) => api.registerTool(tool("c")) },
      ],
      { deny: ["b"] },
    );
    await host.runtime.load();
    const { generation } = await host.runtime.reload("b", { config: { plugins: {} } });
    expect(toolNames(generation)).toEqual(["a", "b", "c"]);
    expect(generation.plugins.map(({ id, generation: since }) => [id, since])).toEqual([
      ["a", 1],
      ["b", 2],
      ["c", 1],
    ]);
    await host.runtime.dispose();
  });

  it("suggests the nearest name for an unknown plugin", async () => {
    const { runtime } = createTestHost([plugin(noop)]);
    await runtime.load();
    const failure = await runtime.reload("gaurd").catch((error: unknown) => error);
    expect(PluginNotFoundError.isInstance(failure)).toBe(true);
    expect(String(failure)).toContain('did you mean "guard"?');
  });
});

describe("registration after register has settled", () => {
  it("[PLUG-060] applies to new work, belongs to the generation, and is reported", async () => {
    let api: OpenClawPluginApi | undefined;
    const started: string[] = [];
    const { runtime } = createTestHost([
      plugin((given) => {
        api = given;
      }),
    ]);
    await runtime.load();
    await runtime.start(START);
    const turn = runtime.pin();
    const event = { prompt: "", messages: [] };
    api?.on("before_prompt_build", () => ({ appendContext: "late" }));
    api?.registerTool(tool("late"));
    api?.registerCommand({ name: "late", description: "Late.", handler: () => ({}) });
    api?.registerHttpRoute({ path: "/late", auth: "gateway", handler: noop });
    api?.registerGatewayMethod("late.method", noop);
    api?.registerService({ id: "late", start: () => void started.push("late") });
    for (const hooks of [turn.hooks, runtime.hooks]) {
      expect(await hooks.rewrite("before_prompt_build", event, CONTEXT)).toEqual({
        appendContext: "late",
      });
    }
    expect(toolNames(turn.generation)).toEqual([]);
    const { current } = runtime;
    expect(current.number).toBe(1);
    expect(toolNames(current)).toEqual(["late"]);
    expect(current.plugins[0]).toMatchObject({
      toolNames: ["late"],
      hookNames: ["before_prompt_build"],
      commandNames: ["late"],
      httpRoutes: ["/plugins/guard/late"],
      gatewayMethods: ["late.method"],
      serviceIds: ["late"],
    });
    await vi.waitFor(() => expect(started).toEqual(["late"]));
    const told = current.diagnostics.filter(({ code }) => code === "late-registration");
    expect(told).toHaveLength(6);
    for (const one of told) expect(one).toMatchObject({ level: "warn", pluginId: "guard" });
    turn.release();
    const { generation, retired } = await runtime.reload("guard");
    await retired;
    for (const kind of KINDS) expect(generation[kind], kind).toEqual([]);
    expect(await runtime.hooks.rewrite("before_prompt_build", event, CONTEXT)).toBeUndefined();
    await runtime.dispose();
  });
});
