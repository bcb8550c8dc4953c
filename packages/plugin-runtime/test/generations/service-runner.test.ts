import type { OpenClawPluginApi, PluginService, PluginServiceContext } from "@openclaw/plugin-sdk";
import type { RepeatedWork } from "@openclaw/plugin-sdk/services";
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

/** Work that a plugin repeats in a host, by name; ended work is not in it. */
function repeatingHost(start: PluginService["start"]) {
  const repeated = new Map<string, RepeatedWork>();
  const repeat = (pluginId: string, work: RepeatedWork) => {
    repeated.set(`${pluginId}/${work.name}`, work);
    return () => void repeated.delete(`${pluginId}/${work.name}`);
  };
  const { runtime } = createTestHost(
    [plugin((api) => api.registerService({ id: "watcher", start }))],
    {},
    { hostServices: { repeat } },
  );
  return { runtime, repeated };
}

const WORK = { name: "sweep", intervalMs: 60_000, run: () => undefined };

describe("work that a service repeats", () => {
  it("[HOST-505] is repeated by the host until the service is stopped", async () => {
    let runs = 0;
    const { runtime, repeated } = repeatingHost(({ repeat }) => {
      repeat({
        ...WORK,
        run() {
          runs += 1;
        },
      });
      repeat({ ...WORK, name: "look" });
    });
    await runtime.load();
    await runtime.start(START);
    expect([...repeated.keys()]).toEqual(["guard/sweep", "guard/look"]);
    await repeated.get("guard/sweep")?.run();
    expect(runs).toBe(1);
    await runtime.dispose();
    expect([...repeated.keys()]).toEqual([]);
  });

  it("[HOST-505] ends when the service cannot start", async () => {
    const { runtime, repeated } = repeatingHost(({ repeat }) => {
      repeat(WORK);
      throw new Error("port in use");
    });
    await runtime.load();
    await runtime.start(START);
    expect([...repeated.keys()]).toEqual([]);
    await runtime.dispose();
  });

  it.each<[string, unknown, string]>([
    ["no object", undefined, "work"],
    ["a name with a space", { ...WORK, name: "a b" }, "lower-case letter"],
    ["no function", { ...WORK, run: 1 }, 'run of "sweep"'],
    ["an interval below a second", { ...WORK, intervalMs: 999 }, "from 1000 to 2147483647"],
    ["an interval beyond a timer", { ...WORK, intervalMs: 2 ** 31 }, "from 1000 to 2147483647"],
    ["part of a millisecond", { ...WORK, intervalMs: 1000.5 }, "whole number"],
  ])("[HOST-505] is rejected with %s", async (_, work, problem) => {
    const { runtime, repeated } = repeatingHost(({ repeat }) => repeat(work as never));
    await runtime.load();
    await runtime.start(START);
    const [diagnostic] = runtime.current.diagnostics;
    expect(diagnostic?.message).toContain(problem);
    expect(repeated.size).toBe(0);
    await runtime.dispose();
  });

  it("[HOST-505] is rejected twice with one name, and after the service was stopped", async () => {
    const contexts: PluginServiceContext[] = [];
    const { runtime } = repeatingHost((context) => void contexts.push(context));
    await runtime.load();
    await runtime.start(START);
    const again = () => contexts[0]?.repeat(WORK);
    again();
    expect(again).toThrow('"sweep" is repeated');
    await runtime.dispose();
    expect(again).toThrow("before the service was stopped");
  });

  it("[HOST-505] is rejected on a host without background tasks", async () => {
    const { runtime } = createTestHost([
      plugin((api) => api.registerService({ id: "watcher", start: ({ repeat }) => repeat(WORK) })),
    ]);
    await runtime.load();
    await runtime.start(START);
    expect(runtime.current.diagnostics[0]?.message).toContain("background tasks");
    await runtime.dispose();
  });
});
