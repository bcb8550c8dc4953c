import type { OpenClawPluginApi, PluginService, PluginServiceContext } from "@openclaw/plugin-sdk";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createTestHost, plugin } from "../support/host.js";

const START = {
  event: { port: 0, host: "127.0.0.1", generation: 1 },
  context: { callDepth: 0 },
};

afterEach(() => {
  vi.useRealTimers();
});

/** A service that says what is done to it. */
function service(id: string, said: string[], more: Partial<PluginService> = {}): PluginService {
  return {
    id,
    start: () => void said.push(`start ${id}`),
    stop: () => void said.push(`stop ${id}`),
    ...more,
  };
}

describe("plugin service", () => {
  it("[PLUG-036] starts after gateway_start in the order of registration, and stops in reverse", async () => {
    const said: string[] = [];
    const offer =
      (...ids: string[]) =>
      (api: OpenClawPluginApi) => {
        api.on("gateway_start", () => void said.push(`told ${api.id}`));
        for (const id of ids) api.registerService(service(id, said));
      };
    const { runtime } = createTestHost([
      plugin(offer("a", "b"), "first"),
      plugin(offer("c"), "second"),
    ]);
    const { services } = await runtime.load();
    expect(services.map(({ service: { id } }) => id)).toEqual(["a", "b", "c"]);
    expect(said).toEqual([]);
    await runtime.start(START);
    expect(said).toEqual(["told first", "told second", "start a", "start b", "start c"]);
    said.length = 0;
    await runtime.dispose();
    expect(said).toEqual(["stop c", "stop b", "stop a"]);
  });

  it("[PLUG-036] is started and stopped with configuration, folders, logger and jobs", async () => {
    const contexts: PluginServiceContext[] = [];
    const cron = {};
    const keep = (context: PluginServiceContext) => void contexts.push(context);
    const { runtime, lines } = createTestHost(
      [plugin((api) => api.registerService({ id: "watcher", start: keep, stop: keep }))],
      {},
      {
        config: { plugins: {}, theme: "dark", apiKey: "sk-1" },
        workspaceDir: "/space",
        stateDir: "/nowhere",
        hostServices: { getCron: () => cron as never },
      },
    );
    await runtime.load();
    await runtime.start(START);
    await runtime.dispose();
    const [started, stopped] = contexts;
    expect(contexts).toHaveLength(2);
    expect(stopped).toBe(started);
    expect(started).toMatchObject({ workspaceDir: "/space", stateDir: "/nowhere" });
    expect(started?.config).toMatchObject({ theme: "dark" });
    expect(JSON.stringify(started?.config)).not.toContain("sk-1");
    expect(Object.isFrozen(started?.config)).toBe(true);
    expect(started?.getCron?.()).toBe(cron);
    expect(started?.signal.aborted).toBe(true);
    started?.logger.info("watching");
    expect(lines).toMatchObject([{ message: "watching", fields: { pluginId: "guard" } }]);
  });

  it("[PLUG-036] is reported and not stopped when it cannot start, and does not prevent others from starting", async () => {
    const said: string[] = [];
    const { runtime } = createTestHost([
      plugin((api) => {
        api.registerService(
          service("broken", said, {
            start: () => {
              throw new Error("port in use");
            },
          }),
        );
        api.registerService(service("healthy", said));
        api.registerTool({ name: "t", description: "", parameters: {}, execute: () => "" });
      }),
    ]);
    await runtime.load();
    await runtime.start(START);
    expect(said).toEqual(["start healthy"]);
    expect(runtime.current.diagnostics).toMatchObject([
      {
        level: "error",
        code: "service-failed",
        pluginId: "guard",
        message: expect.stringMatching(/service "broken" of plugin "guard".*port in use/),
      },
    ]);
    expect(runtime.current.plugins).toMatchObject([{ status: "loaded", toolNames: ["t"] }]);
    await runtime.dispose();
    expect(said).toEqual(["start healthy", "stop healthy"]);
  });

  it("[PLUG-036] has 5 seconds to stop, within the total shutdown time", async () => {
    vi.useFakeTimers();
    const stopping: [string, number][] = [];
    const never = (id: string): PluginService => ({
      id,
      start: () => {},
      stop: () => {
        stopping.push([id, performance.now()]);
        return new Promise(() => {});
      },
    });
    const { runtime, lines } = createTestHost([
      plugin((api) => {
        for (const id of ["a", "b", "c", "d", "e", "f"]) api.registerService(never(id));
      }),
    ]);
    await runtime.load();
    await runtime.start(START);
    const began = performance.now();
    let over = Number.NaN;
    const ended = runtime.dispose(20_000).then(() => {
      over = performance.now() - began;
    });
    await vi.advanceTimersByTimeAsync(30_000);
    await ended;
    // A deadline of 0 ms still takes a tick of the clock.
    expect(over).toBeLessThan(20_010);
    expect(stopping.map(([id, at]) => [id, Math.floor((at - began) / 1_000)])).toEqual([
      ["f", 0],
      ["e", 5],
      ["d", 10],
      ["c", 15],
      ["b", 20],
      ["a", 20],
    ]);
    const late = lines.filter(({ level }) => level === "error").map(({ message }) => message);
    expect(late[0]).toContain('service "f" of plugin "guard" could not be stopped');
  });

  it("[PLUG-036] is stopped only after its start has succeeded, however slow it was", async () => {
    vi.useFakeTimers();
    const said: string[] = [];
    let begin = () => {};
    const { runtime } = createTestHost([
      plugin((api) => {
        const start = () =>
          new Promise<void>((resolve) => {
            begin = resolve;
          });
        api.registerService(service("slow", said, { start }));
        api.registerService(service("next", said));
      }),
    ]);
    await runtime.load();
    const starting = runtime.start(START);
    await vi.advanceTimersByTimeAsync(5_000);
    await starting;
    expect(said).toEqual(["start next"]);
    expect(runtime.current.diagnostics).toMatchObject([{ level: "warn", code: "service-slow" }]);
    const ended = runtime.dispose();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(said).toEqual(["start next", "stop next"]);
    begin();
    await ended;
    expect(said).toEqual(["start next", "stop next", "stop slow"]);
  });
});
