import type { OpenClawPluginApi } from "@openclaw/plugin-sdk";
import { describe, expect, it } from "vitest";
import { type PluginFault, PluginFaults, type PluginRuntime } from "../../src/index.js";
import { createFileHost } from "../support/file-host.js";
import { createTestHost, plugin, type TestHost } from "../support/host.js";

const ENDED = { messages: [], success: true, durationMs: 1 } as const;
const CONTEXT = { callDepth: 0, agentId: "main", sessionKey: "agent:main:x" } as const;

/** A host that receives the faults of its plugins. */
function hostWith(
  plugins: Readonly<Record<string, (api: OpenClawPluginApi) => unknown>>,
): TestHost & { readonly faults: readonly PluginFault[] } {
  const faults: PluginFault[] = [];
  const inline = Object.entries(plugins).map(([id, register]) =>
    plugin(async (api) => void (await register(api)), id),
  );
  const host = createTestHost(inline, {}, { faults: receiver(faults) });
  return { ...host, faults };
}

function receiver(faults: PluginFault[]): PluginFaults {
  const ignore = () => undefined;
  const logger = { debug: ignore, info: ignore, warn: ignore, error: ignore };
  return new PluginFaults({ logger, onFault: (fault) => faults.push(fault) });
}

function statuses(runtime: PluginRuntime): Record<string, string> {
  return Object.fromEntries(runtime.current.plugins.map(({ id, status }) => [id, status]));
}

const ORIGINAL = { map: Array.prototype.map, parse: JSON.parse };

describe("plugin that changes built-in objects", () => {
  const changes: readonly [string, string][] = [
    ["Object.prototype.polluted was added", "Object.prototype.polluted = true;"],
    [
      "Object.prototype.hidden was added",
      "Object.defineProperty(Object.prototype, 'hidden', { value: 1, configurable: true });",
    ],
    ["Array.prototype.map was replaced", "Array.prototype.map = () => [];"],
    ["JSON.parse was replaced", "JSON.parse = () => ({});"],
    ["Object.assign was removed", "delete Object.assign;"],
    ["Promise.any was replaced", "Promise.any = () => 1;"],
    ["globalThis.JSON was replaced", "globalThis.JSON = {};"],
    ["Map.prototype[Symbol(x)] was added", "Map.prototype[Symbol('x')] = 1;"],
    [
      "the prototype of Array.prototype was replaced",
      "Object.setPrototypeOf(Array.prototype, Object.create(Object.prototype));",
    ],
    ["Error.prototype.name was replaced", "Error.prototype.name = 'Mine';"],
  ];

  it.each(changes)("[PLUG-070] fails to load: %s", async (change, code) => {
    const host = createFileHost([
      { id: "first", register: () => undefined },
      { id: "polluter", code, register: () => undefined },
      { id: "third", register: () => undefined },
    ]);
    const { diagnostics } = await host.runtime.load();
    expect(statuses(host.runtime)).toEqual({ first: "loaded", polluter: "error", third: "loaded" });
    expect(diagnostics).toContainEqual(
      expect.objectContaining({
        code: "built-ins-changed",
        pluginId: "polluter",
        message: expect.stringContaining(change),
      }),
    );
    expect(Reflect.get({}, "polluted")).toBeUndefined();
    expect(Reflect.get({}, "hidden")).toBeUndefined();
    expect(Array.prototype.map).toBe(ORIGINAL.map);
    expect(JSON.parse).toBe(ORIGINAL.parse);
    expect(Object.getPrototypeOf(Array.prototype)).toBe(Object.prototype);
    expect(new Error("x").name).toBe("Error");
    await host.runtime.dispose();
  });

  it("[PLUG-070] fails to load when its register changes them, also after an await", async () => {
    const host = hostWith({
      first: () => undefined,
      polluter: async () => {
        await Promise.resolve();
        Reflect.set(Object.prototype, "polluted", true);
      },
      third: () => undefined,
    });
    await host.runtime.load();
    expect(statuses(host.runtime)).toEqual({ first: "loaded", polluter: "error", third: "loaded" });
    expect(host.faults).toEqual([]);
    await host.runtime.dispose();
  });

  it("[PLUG-070] loads with new statics, as polyfills add them, and with stack settings", async () => {
    const code =
      "Object.groupByTwo = () => 2; Reflect.defineMetadata = () => {}; Error.stackTraceLimit = 20;";
    const host = createFileHost([{ id: "polyfill", code, register: () => undefined }]);
    await host.runtime.load();
    expect(statuses(host.runtime)).toEqual({ polyfill: "loaded" });
    Reflect.deleteProperty(Object, "groupByTwo");
    Reflect.deleteProperty(Reflect, "defineMetadata");
    Error.stackTraceLimit = 10;
    await host.runtime.dispose();
  });

  it("[PLUG-070] gets a fault for each handler and service that changes them", async () => {
    const host = hostWith({
      sound: (api) => api.on("agent_end", () => undefined),
      handler: (api) => api.on("agent_end", () => void Reflect.set(Object.prototype, "one", 1)),
      late: (api) =>
        api.on("agent_end", async () => {
          await Promise.resolve();
          Reflect.set(Object.prototype, "two", 2);
        }),
      service: (api) =>
        api.registerService({
          id: "polluting",
          start: () => void Reflect.set(Array.prototype, "map", () => []),
        }),
    });
    const { runtime, faults } = host;
    await runtime.load();
    await runtime.start({
      event: { port: 0, host: "127.0.0.1", generation: 1 },
      context: { ...CONTEXT, port: 0, abortSignal: new AbortController().signal } as never,
    });
    expect(faults.map(({ pluginId, kind }) => [pluginId, kind])).toEqual([
      ["service", "pollution"],
    ]);
    await runtime.hooks.observe("agent_end", ENDED as never, CONTEXT as never);
    expect(faults.map(({ pluginId }) => pluginId)).toEqual(["service", "handler", "late"]);
    expect(faults[1]?.error).toMatchObject({
      code: "PLUGIN_BUILT_INS_CHANGED",
      changes: ["Object.prototype.one was added"],
    });
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect([1].map((value) => value)).toEqual([1]);
    await runtime.dispose();
  });

  it("[PLUG-070] gets a fault for a tool that changes them; unknown changes list the suspects", async () => {
    const logged: string[] = [];
    const faults: PluginFault[] = [];
    const ignore = () => undefined;
    const logger = {
      debug: ignore,
      info: ignore,
      warn: ignore,
      error: (line: string) => logged.push(line),
    };
    const received = new PluginFaults({ logger, onFault: (fault) => faults.push(fault) });
    const { runtime } = createTestHost([plugin(ignore, "owner")], {}, { faults: received });
    await runtime.load();
    const result = runtime.callPlugin("owner", () => Reflect.set(String.prototype, "trim", ignore));
    expect(result).toBe(true);
    expect(faults.map(({ pluginId, kind }) => [pluginId, kind])).toEqual([["owner", "pollution"]]);
    expect(" x ".trim()).toBe("x");
    // Runs outside any call, as a timer does.
    Reflect.set(Object.prototype, "fromTimer", 1);
    runtime.callPlugin("owner", ignore);
    expect(Reflect.get({}, "fromTimer")).toBeUndefined();
    expect(faults).toHaveLength(1);
    expect(logged).toEqual([
      expect.stringMatching(/such as a timer of "owner".*fromTimer was added/),
    ]);
    await runtime.dispose();
  });
});
