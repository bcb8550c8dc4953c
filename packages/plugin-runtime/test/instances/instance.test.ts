import { type OpenClawPluginApi, PluginDisposedError } from "@openclaw/plugin-sdk";
import type { SessionExtension } from "@openclaw/plugin-sdk/sessions";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createTestHost, plugin } from "../support/host.js";

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

async function ended(register: (api: OpenClawPluginApi) => void | Promise<void>) {
  const host = createTestHost([plugin(register)]);
  await host.runtime.load();
  return host;
}

describe("api.lifecycle", () => {
  it("[LIFE-034] aborts its signal when the plugin's generation ends", async () => {
    let signal = AbortSignal.abort();
    const { runtime } = await ended((api) => {
      signal = api.lifecycle.signal;
    });
    expect(signal.aborted).toBe(false);
    await runtime.dispose();
    expect(signal.aborted).toBe(true);
    expect(signal.reason).toMatchObject({
      name: "AbortError",
      message: 'plugin "guard" was unloaded',
    });
  });

  it("[LIFE-034] runs callbacks once, last first, each awaited before the next", async () => {
    const order: string[] = [];
    const { runtime } = await ended((api) => {
      api.lifecycle.onDispose(() => void order.push("first"));
      api.lifecycle.onDispose(async () => {
        order.push("second begins");
        await new Promise((resolve) => setTimeout(resolve, 100));
        order.push("second ends");
      });
    });
    const disposing = Promise.all([runtime.dispose(), runtime.dispose()]);
    await vi.advanceTimersByTimeAsync(100);
    await disposing;
    expect(order).toEqual(["second begins", "second ends", "first"]);
  });

  it("[LIFE-034] gives each callback 5 seconds, logs a failure, and continues", async () => {
    const order: string[] = [];
    const { runtime, lines } = await ended((api) => {
      api.lifecycle.onDispose(() => void order.push("last"));
      api.lifecycle.onDispose(() => {
        throw new Error("cannot close");
      });
      api.lifecycle.onDispose(() => new Promise(() => {}));
    });
    const disposing = runtime.dispose();
    await vi.advanceTimersByTimeAsync(4_999);
    expect(order).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    await disposing;
    expect(order).toEqual(["last"]);
    expect(lines.map(({ level, message }) => [level, message])).toEqual([
      ["error", expect.stringContaining("did not settle within 5000 ms")],
      ["error", expect.stringContaining("cannot close")],
    ]);
  });

  it("runs the callbacks of a plugin whose register failed, too", async () => {
    const order: string[] = [];
    await ended((api) => {
      api.lifecycle.onDispose(() => void order.push("released"));
      throw new Error("half way");
    });
    expect(order).toEqual(["released"]);
  });

  it("rejects every method once the plugin is disposed", async () => {
    let kept: OpenClawPluginApi | undefined;
    const { runtime } = await ended((api) => {
      kept = api;
    });
    await runtime.dispose();
    const tool = { name: "t", description: "", parameters: {}, execute: () => "" };
    expect(() => kept?.registerTool(tool)).toThrow(/api\.registerTool after it was unloaded/);
    expect(() => kept?.lifecycle.onDispose(() => {})).toThrow(PluginDisposedError);
    expect(() => kept?.registerProvider({} as never)).toThrow(PluginDisposedError);
  });
});

describe("end of a session", () => {
  const request = { reason: "reset", sessionKey: "agent:main:main" } as const;

  it("[LIFE-035] [PLUG-042] is reported to lifecycles and session extensions, last registered first", async () => {
    const told: unknown[] = [];
    const { runtime } = await ended((api) => {
      api.lifecycle.registerRuntimeLifecycle({
        id: "watch",
        cleanup: (given) => void told.push(["watch", given]),
      });
      api.session.state.registerSessionExtension({
        namespace: "mood",
        description: "How it goes.",
        cleanup: (given) => void told.push(["mood", given]),
      });
      api.lifecycle.registerRuntimeLifecycle({ id: "silent" });
    });
    await runtime.cleanUp(request);
    await runtime.cleanUp({ ...request, reason: "delete" });
    expect(told).toEqual([
      ["mood", request],
      ["watch", request],
      ["mood", { ...request, reason: "delete" }],
      ["watch", { ...request, reason: "delete" }],
    ]);
    await runtime.dispose();
    expect(told.slice(4)).toEqual([
      ["mood", { reason: "restart" }],
      ["watch", { reason: "restart" }],
    ]);
  });

  it("[TURN-050] [LIFE-035] gives each cleanup 5 seconds, logs a failure, and continues", async () => {
    const told: string[] = [];
    const { runtime, lines } = await ended((api) => {
      const add = (namespace: string, cleanup: SessionExtension["cleanup"] & {}) =>
        api.registerSessionExtension({ namespace, description: "d", cleanup });
      add("last", () => void told.push("last"));
      add("broken", () => {
        throw new Error("cannot let go");
      });
      add("hanging", ({ reason }) => (reason === "reset" ? new Promise(() => {}) : undefined));
    });
    const cleaning = runtime.cleanUp(request);
    await vi.advanceTimersByTimeAsync(4_999);
    expect(told).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    await cleaning;
    expect(told).toEqual(["last"]);
    const failures = lines.filter(({ message }) => message.includes("cleanup callback"));
    expect(failures).toHaveLength(2);
    expect(failures[1]?.message).toContain("cannot let go");
    await runtime.dispose();
  });
});
