import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { examinePlugins } from "../../src/index.js";
import { createFileHost } from "../support/file-host.js";
import { untyped } from "../support/host.js";

const noop = () => {};

describe("plugin examination", () => {
  it("[PLUG-051] reports plugins that work worse than they seem to, each with a fix", async () => {
    const host = createFileHost([
      {
        id: "guard",
        permissions: { hooks: [] },
        register: (api) => {
          untyped(api).on("before_tool_cal", noop);
          api.on("llm_input", noop);
          api.on("message_sent", noop);
          api.on("session_start", noop);
        },
      },
      { id: "fine", register: noop },
    ]);
    const copy = join(host.folder("guard"), "node_modules/@openclaw/plugin-sdk");
    mkdirSync(copy, { recursive: true });
    writeFileSync(join(copy, "package.json"), '{ "name": "@openclaw/plugin-sdk" }');
    const generation = await host.runtime.load();
    const event = { sessionId: "1", sessionKey: "agent:main:main" };
    await host.runtime.hooks.observe("session_start", event as never, { callDepth: 0 });
    const found = examinePlugins(generation, host.runtime.inspection);
    expect(found.map(({ code, message }) => [code, message])).toEqual([
      ["unknown-hook", expect.stringContaining("before_tool_cal")],
      ["hook-inactive", expect.stringContaining('"llm_input"')],
      ["permission-undeclared", expect.any(String)],
      ["handler-never-fired", expect.stringContaining('"message_sent"')],
      ["handler-never-fired", expect.stringContaining('"llm_input"')],
      ["sdk-copy", expect.stringContaining("copy of the SDK")],
    ]);
    for (const one of found) {
      expect(one).toMatchObject({ pluginId: "guard", hint: expect.stringMatching(/.{10}/) });
    }
    await host.runtime.dispose();
  });

  it.each<[string, number, number, string]>([
    ["the evaluation of its modules", 900, 20, "920 ms to load, most of it while its modules"],
    ["its register", 100, 400, "500 ms to load, most of it in its register"],
  ])(
    "[PLUG-051] reports a plugin that is slow by %s",
    async (_why, loadMs, registerMs, message) => {
      const host = createFileHost([{ id: "slow", register: noop }]);
      const generation = await host.runtime.load();
      const plugins = generation.plugins.map((plugin) => ({ ...plugin, loadMs, registerMs }));
      const found = examinePlugins({ ...generation, plugins }, host.runtime.inspection);
      expect(found).toEqual([
        {
          level: "warn",
          code: "slow-load",
          message: expect.stringContaining(message),
          pluginId: "slow",
          source: expect.stringContaining("slow/index.mjs"),
          hint: expect.any(String),
        },
      ]);
      await host.runtime.dispose();
    },
  );
});
