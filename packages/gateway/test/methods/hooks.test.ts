import { HOOK_CATALOG } from "@openclaw/plugin-runtime";
import { describe, expect, it } from "vitest";
import { createHookMethods } from "../../src/methods/hooks.js";
import { createTestHost } from "../support/host.js";
import { createPluginHost, type PluginHostOptions } from "../support/plugin-host.js";

async function hooks(watcher: PluginHostOptions["watcher"] = () => {}) {
  const { plugins } = await createPluginHost({ watcher });
  const host = await createTestHost();
  return { plugins, methods: createHookMethods(plugins, host) };
}

describe("hook methods", () => {
  it("list all hooks of the catalog with their counts", async () => {
    const { plugins, methods } = await hooks((api) => {
      api.on("gateway_pre_start", () => {
        throw new Error("no luck");
      });
    });
    await plugins.boot({ port: 0, host: "127.0.0.1", reason: "boot" }, { callDepth: 0 });
    const { hooks: listed } = await methods.call("hooks.list", {});
    expect(listed.map(({ hook }) => hook)).toEqual(Object.keys(HOOK_CATALOG));
    const byName = Object.fromEntries(listed.map((each) => [each.hook, each]));
    expect(byName.gateway_pre_start).toMatchObject({
      step: "G2",
      handlers: 1,
      dispatched: 1,
      failed: 1,
      timeouts: 0,
      p50Ms: expect.any(Number),
      rewrites: [],
      plugins: [{ pluginId: "watcher", handlers: 1, fired: 1 }],
    });
    expect(byName.before_tool_call).toMatchObject({
      kind: "decide",
      step: "X4",
      plugins: [],
      handlers: 0,
      dispatched: 0,
      failed: 0,
      description: expect.stringMatching(/\w/),
    });
    const phases = listed.map(({ phase }) => phase);
    expect(phases).toContain(undefined);
    expect(phases.some((phase) => typeof phase === "string")).toBe(true);
  });

  it("show the handlers of a hook in order, with the reason when one is skipped", async () => {
    const { methods } = await hooks((api) => {
      api.on("before_tool_call", () => undefined, { priority: 1 });
      api.on("before_tool_call", () => undefined, {
        priority: 5,
        timeoutMs: 100,
        scope: { toolNames: ["exec"] },
      });
    });
    const show = (more: object) =>
      methods.call("hooks.show", { hook: "before_tool_call", ...more });
    const exec = await show({ toolName: "exec", channel: "telegram", agentId: "main" });
    expect(exec).toMatchObject({
      hook: "before_tool_call",
      handlers: 2,
      order: [
        {
          pluginId: "watcher",
          priority: 5,
          fired: 0,
          failed: 0,
          timeouts: 0,
          rewrote: [],
          runs: true,
          mode: "fail-closed",
          deadlineMs: 100,
        },
        { pluginId: "watcher", priority: 1, runs: true, deadlineFrom: expect.any(String) },
      ],
    });
    const { order } = await show({ toolName: "read" });
    expect(order).toMatchObject([
      { priority: 5, runs: false, reason: expect.stringMatching(/\w/) },
      { priority: 1, runs: true },
    ]);
    expect(order[0]).not.toHaveProperty("mode");
  });

  it("show no deadline for hooks that are not awaited", async () => {
    const { methods } = await hooks((api) => {
      api.on("tool_result_persist", () => undefined);
    });
    const { kind, order } = await methods.call("hooks.show", { hook: "tool_result_persist" });
    expect(kind).toBe("sync");
    expect(order).toMatchObject([{ pluginId: "watcher", runs: true }]);
    expect(order[0]).not.toHaveProperty("deadlineMs");
  });

  it("suggest the nearest name", async () => {
    const { methods } = await hooks();
    await expect(methods.call("hooks.show", { hook: "before_tool_cal" })).rejects.toMatchObject({
      code: "HOOK_NOT_FOUND",
      hook: "before_tool_cal",
      message: 'hook "before_tool_cal" not found; did you mean "before_tool_call"?',
    });
    await expect(methods.call("hooks.show", { hook: "constructor" })).rejects.toThrow(
      /hook "constructor" not found; run `openclaw hooks list --all` for a list/,
    );
  });
});
