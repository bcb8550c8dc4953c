import { type OpenClawPluginApi, PluginDisposedError } from "@openclaw/plugin-sdk";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createTestHost, plugin } from "./host.js";

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

  it("[LIFE-034] gives each callback 5 seconds, logs a failure, and goes on", async () => {
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

  it("refuses every method once the plugin is disposed", async () => {
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
