import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { packFolder, startNpmRegistry, writePlugin } from "@openclaw/foundation/testing";
import { PluginInstallRefusedError } from "@openclaw/plugin-install";
import { describe, expect, it, vi } from "vitest";
import { createPluginHost } from "../support/plugin-host.js";

// Processes and files take longer on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const OBSERVES = 'api.on("agent_end", () => {}); api.on("after_tool_call", () => {});';
const commented = `{
  // who may listen
  gateway: { port: 18789 }, // loopback
  plugins: {
    // all of ours
    entries: { other: { enabled: false } },
  },
}
`;

describe("plugins.install", () => {
  it.each(["a folder", "an archive", "npm"])("loads a plugin from %s at once", async (kind) => {
    const { methods, folder, plugins } = await createPluginHost();
    const guard = { register: 'api.on("before_tool_call", () => {});' };
    let specifier = "./mine";
    if (kind === "npm") {
      const registry = await startNpmRegistry();
      await registry.publish("@me/guard", "1.0.0", guard);
      specifier = "@me/guard";
    } else {
      writePlugin(join(folder.path, "mine"), guard);
    }
    if (kind === "an archive") {
      await packFolder(join(folder.path, "mine"), join(folder.path, "guard.tgz"));
      specifier = "guard.tgz";
    }
    const before = plugins.current.number;
    const change = await methods.call("plugins.install", { specifier, cwd: folder.path });
    expect(change).toMatchObject({
      outcome: "loaded",
      generation: before + 1,
      plugin: { id: "guard", version: "1.0.0", status: "loaded" },
    });
    expect(change).not.toHaveProperty("consentNeeded");
    expect(await methods.call("plugins.inspect", { id: "guard" })).toMatchObject({
      status: "loaded",
      hooks: [{ hook: "before_tool_call", priority: 0, active: true, fired: 0, failed: 0 }],
      generation: before + 1,
      loadMs: expect.any(Number),
      registerMs: expect.any(Number),
    });
  });

  it("reports no version for a plugin without one", async () => {
    const { methods, folder } = await createPluginHost();
    writePlugin(join(folder.path, "mine"), {
      files: { "openclaw.plugin.json": '{ "id": "guard", "entry": "index.mjs" }' },
    });
    const { plugin } = await methods.call("plugins.install", {
      specifier: "mine",
      cwd: folder.path,
    });
    expect(plugin).toEqual({ id: "guard", name: "guard", origin: "global", status: "loaded" });
  });

  it("[EXT-534] installs a bundle that starts programs once a person agreed to them, and asks again when one changes", async () => {
    const { methods, folder } = await createPluginHost();
    const write = (args: readonly string[]) =>
      folder.write({
        "mine/.claude-plugin/plugin.json": '{ "name": "helper", "version": "1.0.0" }',
        "mine/commands/go.md": "Go.",
        "mine/.mcp.json": JSON.stringify({ mcpServers: { files: { command: "node", args } } }),
      });
    write(["a.js"]);
    const parameters = { specifier: "mine", cwd: folder.path };
    const asked = await methods.call("plugins.install", parameters);
    expect(asked.addedPermissions).toEqual([
      expect.stringMatching(/^exec: MCP server files: node a\.js \[sha256:[0-9a-f]+\]$/),
    ]);
    await expect(methods.call("plugins.inspect", { id: "helper" })).rejects.toMatchObject({
      code: "PLUGIN_NOT_FOUND",
    });
    expect(await methods.call("plugins.install", { ...parameters, accept: true })).toMatchObject({
      outcome: "loaded",
      plugin: { id: "helper", status: "loaded" },
    });
    write(["b.js"]);
    const update = await methods.call("plugins.update", { id: "helper" });
    expect(update).toMatchObject({ outcome: "kept" });
    expect(update.addedPermissions?.[0]).toContain("node b.js");
  });

  it("reports the findings of the scan", async () => {
    const { methods, folder } = await createPluginHost();
    writePlugin(join(folder.path, "mine"), {
      register: "eval('1'); const pool = 'stratum+tcp://x';",
    });
    const parameters = { specifier: "mine", cwd: folder.path };
    await expect(methods.call("plugins.install", parameters)).rejects.toMatchObject({
      code: "PLUGIN_INSTALL_REFUSED",
    });
    const change = await methods.call("plugins.install", { ...parameters, force: true });
    expect(change.diagnostics).toContainEqual({
      level: "error",
      code: "scan-miner",
      message: "index.mjs:1 refers to a mining pool or miner",
      pluginId: "guard",
    });
    expect(change.diagnostics).toContainEqual(
      expect.objectContaining({ level: "warn", code: "scan-dynamic-code" }),
    );
  });

  it("[PLUG-046] asks for consent when the plugin would read conversations", async () => {
    const { methods, folder, configuration } = await createPluginHost();
    writePlugin(join(folder.path, "mine"), { register: OBSERVES });
    const parameters = { specifier: "mine", cwd: folder.path };
    expect(await methods.call("plugins.install", parameters)).toMatchObject({
      consentNeeded: ["agent_end"],
    });
    expect(configuration()).toBe("");
    const { hooks } = await methods.call("plugins.inspect", { id: "guard" });
    expect(hooks.find(({ hook }) => hook === "agent_end")).toMatchObject({
      active: false,
      reason: expect.any(String),
    });
    const allowed = await methods.call("plugins.install", {
      ...parameters,
      allowConversation: true,
    });
    expect(allowed).not.toHaveProperty("consentNeeded");
    expect(configuration()).toContain('"allowConversationAccess": true');
    const refused = await methods.call("plugins.enable", { id: "guard", allowConversation: false });
    expect(refused.consentNeeded).toEqual(["agent_end"]);
    expect(configuration()).toContain('"allowConversationAccess": false');
  });

  it("[PLUG-083] does not keep a new plugin that does not load, and says why", async () => {
    const { methods, folder, plugins, state } = await createPluginHost();
    writePlugin(join(folder.path, "mine"), { register: 'throw new Error("no luck");' });
    const parameters = { specifier: "mine", cwd: folder.path };
    await expect(methods.call("plugins.install", parameters)).rejects.toMatchObject({
      code: "PLUGIN_INSTALL_REFUSED",
      message: expect.stringMatching(
        /^plugin "guard" is not installed: its register failed at index\.mjs:1:\d+: no luck; /,
      ),
    });
    expect(plugins.current.plugins).toEqual([]);
    expect(plugins.current.diagnostics).toEqual([]);
    expect(readdirSync(state.extensionsDir)).toEqual([]);
    expect(readdirSync(join(state.dir, "staging"))).toEqual([]);
    await expect(methods.call("plugins.update", { id: "guard" })).rejects.toMatchObject({
      code: "PLUGIN_NOT_FOUND",
    });
  });

  it("[PLUG-083] keeps a new plugin that only needs settings, and names its source", async () => {
    const { methods, folder } = await createPluginHost();
    const properties = { key: { type: "string" } };
    const configSchema = { type: "object", properties, required: ["key"] };
    writePlugin(join(folder.path, "mine"), { manifest: { configSchema } });
    const parameters = { specifier: "mine", cwd: folder.path };
    expect(await methods.call("plugins.install", parameters)).toMatchObject({
      outcome: "failed",
      plugin: { id: "guard", status: "error" },
    });
    expect((await methods.call("plugins.inspect", { id: "guard" })).installedFrom).toBe(
      join(folder.path, "mine"),
    );
  });

  it("loads a plugin whose ID has a scope", async () => {
    const { methods, folder, plugins } = await createPluginHost();
    writePlugin(join(folder.path, "mine"), { manifest: { id: "@me/guard" } });
    await methods.call("plugins.install", { specifier: "mine", cwd: folder.path });
    expect(plugins.current.plugins).toMatchObject([{ id: "@me/guard", status: "loaded" }]);
    await methods.call("plugins.uninstall", { id: "@me/guard" });
    expect(plugins.current.plugins).toEqual([]);
  });

  it("rejects the ID of a plugin at another place", async () => {
    const { methods, folder } = await createPluginHost({
      named: ({ path }) => [writePlugin(join(path, "named"))],
    });
    writePlugin(join(folder.path, "mine"));
    const parameters = { specifier: "mine", cwd: folder.path };
    await expect(methods.call("plugins.install", parameters)).rejects.toMatchObject({
      code: "PLUGIN_INSTALL_REFUSED",
      message: expect.stringContaining("a plugin with this ID exists already (config, "),
    });
  });
});

describe("plugins.update", () => {
  it("installs from the same source again, from any working directory", async () => {
    const { methods, folder } = await createPluginHost();
    const dir = join(folder.path, "mine");
    writePlugin(dir);
    await methods.call("plugins.install", { specifier: "./mine", cwd: folder.path });
    writePlugin(dir, { manifest: { version: "2.0.0" } });
    expect(await methods.call("plugins.update", { id: "guard" })).toMatchObject({
      outcome: "loaded",
      plugin: { version: "2.0.0" },
    });
  });

  it("[PLUG-561] returns the code difference of a preview, names what is left out, and installs nothing", async () => {
    const { methods, folder, state } = await createPluginHost();
    const dir = join(folder.path, "mine");
    const put = (name: string, content: string | Buffer) => writeFileSync(join(dir, name), content);
    const numbered = (word: string, count: number) =>
      Array.from({ length: count }, (_, line) => `// ${word} ${line}\n`).join("");
    writePlugin(dir);
    put("lib.mjs", "export const limit = 1;\nexport const name = 'a';\n");
    put("gone.mjs", "export {};\n");
    put("rewritten.mjs", numbered("old", 3000));
    await methods.call("plugins.install", { specifier: "./mine", cwd: folder.path });
    put("lib.mjs", "export const limit = 2;\nexport const name = 'a';\n");
    put("new.mjs", "export const added = true;");
    put("rewritten.mjs", numbered("new", 3000));
    put("big.txt", "x".repeat(128 * 1024 + 1));
    put("data.bin", Buffer.from([1, 0, 2]));
    for (const name of ["t1", "t2", "t3"]) put(`${name}.txt`, `${"y".repeat(100 * 1024)}\n`);
    rmSync(join(dir, "gone.mjs"));
    const seen = await methods.call("plugins.update", { id: "guard", preview: true });
    expect(seen).toMatchObject({ outcome: "kept", addedPermissions: [] });
    const { diff = "", omitted } = seen.update?.code ?? {};
    expect(diff).toContain(
      "--- a/lib.mjs\n+++ b/lib.mjs\n@@ -1,2 +1,2 @@\n-export const limit = 1;\n+export const limit = 2;\n export const name = 'a';\n",
    );
    expect(diff).toContain("--- a/gone.mjs\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-export {};\n");
    expect(diff).toContain("--- /dev/null\n+++ b/new.mjs\n");
    expect(diff).toContain("@@ every line is replaced @@\n-// old 0\n");
    expect(diff).toContain("+// new 2999\n");
    expect(diff.length).toBeLessThanOrEqual(256 * 1024);
    expect(omitted).toEqual([
      { file: "big.txt", reason: "large" },
      { file: "data.bin", reason: "binary" },
      { file: "t2.txt", reason: "limit" },
      { file: "t3.txt", reason: "limit" },
    ]);
    expect(readFileSync(join(state.extensionsDir, "guard", "lib.mjs"), "utf8")).toContain("= 1");
    expect(readdirSync(join(state.dir, "staging"))).toEqual([]);
    const done = await methods.call("plugins.update", { id: "guard" });
    expect(done.outcome).toBe("loaded");
    expect(done.update?.code).toBeUndefined();
  });

  it("[PLUG-047] [PLUG-561] keeps the installed version until the additional permissions are accepted", async () => {
    const { methods, folder, plugins } = await createPluginHost();
    const dir = join(folder.path, "mine");
    writePlugin(dir, { manifest: { permissions: {} } });
    const parameters = { specifier: "./mine", cwd: folder.path };
    await methods.call("plugins.install", parameters);
    const { number } = plugins.current;
    writePlugin(dir, { manifest: { version: "2.0.0", permissions: { exec: ["git"] } } });
    const kept = {
      outcome: "kept",
      generation: number,
      durationMs: 0,
      diagnostics: [],
      addedPermissions: ["exec: git"],
      update: {
        files: { added: [], changed: [], removed: [] },
        permissions: { added: ["exec: git"], removed: [] },
        code: { diff: expect.stringContaining("b/openclaw.plugin.json\n@@"), omitted: [] },
      },
    };
    expect(await methods.call("plugins.update", { id: "guard" })).toEqual(kept);
    expect(await methods.call("plugins.install", parameters)).toEqual(kept);
    expect((await methods.call("plugins.inspect", { id: "guard" })).version).toBe("1.0.0");
    expect(await methods.call("plugins.update", { id: "guard", accept: true })).toMatchObject({
      outcome: "loaded",
      plugin: { version: "2.0.0" },
    });
  });

  it("keeps the running plugin when the new one does not load", async () => {
    const { methods, folder } = await createPluginHost();
    const dir = join(folder.path, "mine");
    writePlugin(dir, { register: 'api.on("before_tool_call", () => {});' });
    await methods.call("plugins.install", { specifier: "./mine", cwd: folder.path });
    writePlugin(dir, { register: 'throw new Error("no luck");' });
    await expect(methods.call("plugins.update", { id: "guard" })).rejects.toMatchObject({
      code: "PLUGIN_INSTALL_REFUSED",
      message: expect.stringMatching(
        /^plugin "guard" is not updated, and version 1\.0\.0 stays: its register failed at index\.mjs:1:\d+: no luck; /,
      ),
    });
    expect((await methods.call("plugins.inspect", { id: "guard" })).hooks).toHaveLength(1);
  });

  it.each<[string, (dir: string) => void, RegExp]>([
    [
      "a manifest without a usable ID",
      (dir) => writeFileSync(join(dir, "openclaw.plugin.json"), '{ "id": 3 }'),
      /openclaw\.plugin\.json at "\/id": expected/,
    ],
    [
      "a manifest that is not JSON",
      (dir) => writeFileSync(join(dir, "openclaw.plugin.json"), "{ nope"),
      /openclaw\.plugin\.json:1:3 is not valid JSON5/,
    ],
    [
      "another plugin at the source",
      (dir) => writePlugin(dir, { manifest: { id: "other" } }),
      /the new version is another plugin, "other"; restore the id "guard"/,
    ],
    [
      "code that throws",
      (dir) => writeFileSync(join(dir, "index.mjs"), 'throw new Error("no luck");'),
      /no luck; correct the code that runs while the module is loaded/,
    ],
    [
      "a missing source",
      (dir) => rmSync(dir, { recursive: true }),
      /the file or folder does not exist/,
    ],
  ])(
    "[PLUG-460] names the plugin and the version that stays, and no staging folder, for %s",
    async (_, damage, problem) => {
      const { methods, folder } = await createPluginHost();
      const dir = join(folder.path, "mine");
      writePlugin(dir);
      await methods.call("plugins.install", { specifier: "./mine", cwd: folder.path });
      damage(dir);
      const message = await methods
        .call("plugins.update", { id: "guard" })
        .then(String, (error: unknown) =>
          PluginInstallRefusedError.isInstance(error) ? error.message : String(error),
        );
      expect(message).toMatch(/^plugin "guard" is not updated, and version 1\.0\.0 stays: /);
      expect(message).toMatch(problem);
      expect(message).not.toMatch(/staging|extensions/);
    },
  );

  it("[PLUG-460] names the source of a plugin that cannot be installed, and no staging folder", async () => {
    const { methods, folder } = await createPluginHost();
    const dir = join(folder.path, "mine");
    writePlugin(dir);
    writeFileSync(join(dir, "openclaw.plugin.json"), '{ "id": 3 }');
    const installing = methods.call("plugins.install", { specifier: "./mine", cwd: folder.path });
    await expect(installing).rejects.toThrow(
      /^plugin ".*mine" is not installed: openclaw\.plugin\.json at/,
    );
  });

  it("rejects a plugin that was not installed", async () => {
    const { methods } = await createPluginHost({ watcher: () => {} });
    await expect(methods.call("plugins.update", { id: "watcher" })).rejects.toMatchObject({
      code: "PLUGIN_INSTALL_REFUSED",
      message: expect.stringContaining("update it at its source"),
    });
    await expect(methods.call("plugins.update", { id: "watchr" })).rejects.toMatchObject({
      code: "PLUGIN_NOT_FOUND",
      message: expect.stringContaining('did you mean "watcher"?'),
    });
  });
});

describe("plugins.enable and plugins.disable", () => {
  it("turns off a plugin that was named on the command line", async () => {
    const { methods, plugins } = await createPluginHost({
      named: ({ path }) => [writePlugin(join(path, "mine"), { register: OBSERVES })],
    });
    expect(plugins.current.plugins).toMatchObject([{ id: "guard", status: "loaded" }]);
    await methods.call("plugins.disable", { id: "guard" });
    expect(plugins.current.plugins).toMatchObject([{ id: "guard", status: "disabled" }]);
    expect(plugins.current.hooks).toEqual([]);
  });

  it("write the configuration, keep its comments, and take effect at once", async () => {
    const host = await createPluginHost({ configuration: commented, watcher: () => {} });
    const { methods, configuration } = host;
    expect(await methods.call("plugins.disable", { id: "watcher" })).toMatchObject({
      outcome: "unloaded",
      plugin: { id: "watcher", status: "disabled", reason: expect.any(String) },
    });
    expect(configuration()).toMatch(/"watcher": \{\s*"enabled": false\s*\}/);
    expect(await methods.call("plugins.enable", { id: "watcher" })).toMatchObject({
      outcome: "loaded",
      plugin: { status: "loaded" },
    });
    expect(configuration()).toMatch(/"watcher": \{\s*"enabled": true\s*\}/);
    for (const comment of ["// who may listen\n", "}, // loopback\n", "// all of ours\n"]) {
      expect(configuration()).toContain(comment);
    }
  });

  it("lose none of several concurrent changes", async () => {
    const host = await createPluginHost();
    const { methods, folder, plugins, configuration } = host;
    const ids = ["one", "two", "three", "four"];
    for (const id of ids) {
      writePlugin(join(folder.path, id), { manifest: { id } });
      await methods.call("plugins.install", { specifier: id, cwd: folder.path });
    }
    await Promise.all(ids.map((id) => methods.call("plugins.disable", { id })));
    const statuses = plugins.current.plugins.map(({ status }) => status);
    expect(statuses).toEqual(ids.map(() => "disabled"));
    for (const id of ids) expect(configuration()).toContain(`"${id}"`);
  });

  it.each(["plugins.enable", "plugins.disable", "plugins.reload", "plugins.uninstall"] as const)(
    "reject an unknown plugin in %s and write nothing",
    async (method) => {
      const { methods, configuration } = await createPluginHost();
      await expect(methods.call(method, { id: "guard" })).rejects.toMatchObject({
        code: "PLUGIN_NOT_FOUND",
        pluginId: "guard",
      });
      expect(configuration()).toBe("");
    },
  );

  it("reject an invalid configuration and change nothing", async () => {
    const host = await createPluginHost({ watcher: () => {} });
    host.folder.write({ "openclaw.json": "{ plugins: " });
    await expect(host.methods.call("plugins.disable", { id: "watcher" })).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringContaining(`${host.configurationFile}:1:`),
    });
    expect(host.configuration()).toBe("{ plugins: ");
    expect((await host.methods.call("plugins.list", {})).plugins).toMatchObject([
      { status: "loaded" },
    ]);
  });
});

describe("plugins.reload", () => {
  it("reloads one plugin or all of them", async () => {
    const { methods, state, plugins } = await createPluginHost();
    const dir = join(state.extensionsDir, "by-hand");
    writePlugin(dir, { manifest: { id: "by-hand" } });
    const found = await methods.call("plugins.reload", {});
    expect(found).toMatchObject({ outcome: "loaded", generation: plugins.current.number });
    expect(found).not.toHaveProperty("plugin");
    writePlugin(dir, { manifest: { id: "by-hand", description: "Now it says what it does." } });
    expect(await methods.call("plugins.reload", { id: "by-hand" })).toMatchObject({
      plugin: { id: "by-hand", description: "Now it says what it does." },
    });
  });
});

describe("plugins.uninstall", () => {
  it("[PLUG-047] removes files, settings and registrations, and keeps the other settings", async () => {
    const host = await createPluginHost({ configuration: commented });
    const { methods, folder, plugins, configuration, installed } = host;
    writePlugin(join(folder.path, "mine"), { register: OBSERVES });
    const parameters = { specifier: "mine", cwd: folder.path, allowConversation: true };
    await methods.call("plugins.install", parameters);
    expect(configuration()).toContain("guard");
    const change = await methods.call("plugins.uninstall", { id: "guard" });
    expect(change).toMatchObject({ outcome: "unloaded", generation: plugins.current.number });
    expect(change).not.toHaveProperty("plugin");
    expect(existsSync(installed("guard"))).toBe(false);
    expect(configuration()).not.toContain("guard");
    expect(configuration()).toContain("entries: { other: { enabled: false } }");
    expect(configuration()).toContain("// all of ours");
    expect(plugins.inspection.registrations()).toEqual([]);
    await expect(methods.call("plugins.inspect", { id: "guard" })).rejects.toMatchObject({
      code: "PLUGIN_NOT_FOUND",
    });
  });

  it("[PLUG-047] removes the plugin's stored data, and not that of others", async () => {
    const { methods, folder, pluginStores } = await createPluginHost();
    writePlugin(join(folder.path, "mine"));
    await methods.call("plugins.install", { specifier: "mine", cwd: folder.path });
    for (const id of ["guard", "other"]) await pluginStores.of(id).kv.set("key", id);
    await methods.call("plugins.disable", { id: "guard" });
    expect(await pluginStores.of("guard").kv.get("key")).toBe("guard");
    await methods.call("plugins.uninstall", { id: "guard" });
    expect(await pluginStores.of("guard").kv.list()).toEqual([]);
    expect(await pluginStores.of("other").kv.get("key")).toBe("other");
  });

  it("removes the plugin's stored data after its work has ended", async () => {
    const { methods, folder, pluginStores, plugins } = await createPluginHost();
    writePlugin(join(folder.path, "mine"));
    await methods.call("plugins.install", { specifier: "mine", cwd: folder.path });
    const { kv } = pluginStores.of("guard");
    const pin = plugins.pin();
    const uninstalling = methods.call("plugins.uninstall", { id: "guard" });
    await vi.waitFor(() => expect(plugins.current.plugins).toEqual([]));
    await kv.set("key", "written at the last moment");
    pin.release();
    await uninstalling;
    expect(await kv.list()).toEqual([]);
  });

  it("does not create a configuration file", async () => {
    const { methods, folder, configurationFile } = await createPluginHost();
    writePlugin(join(folder.path, "mine"));
    await methods.call("plugins.install", { specifier: "mine", cwd: folder.path });
    await methods.call("plugins.uninstall", { id: "guard" });
    expect(existsSync(configurationFile)).toBe(false);
  });

  it("removes nothing while the settings cannot be removed", async () => {
    const { methods, folder, installed } = await createPluginHost();
    writePlugin(join(folder.path, "mine"));
    await methods.call("plugins.install", { specifier: "mine", cwd: folder.path });
    folder.write({ "openclaw.json": "{" });
    await expect(methods.call("plugins.uninstall", { id: "guard" })).rejects.toMatchObject({
      code: "CONFIG_INVALID",
    });
    expect(readdirSync(installed("guard"))).not.toEqual([]);
  });

  it("rejects a plugin that was not installed", async () => {
    const { methods, state } = await createPluginHost();
    const dir = writePlugin(join(state.extensionsDir, "by-hand"), { manifest: { id: "by-hand" } });
    await methods.call("plugins.reload", {});
    await expect(methods.call("plugins.uninstall", { id: "by-hand" })).rejects.toMatchObject({
      code: "PLUGIN_INSTALL_REFUSED",
      message: expect.stringContaining("openclaw plugins disable by-hand"),
    });
    expect(readdirSync(dir)).not.toEqual([]);
  });
});

describe("plugins.list, plugins.doctor and plugins.inspect", () => {
  it("list every plugin with its state and problems", async () => {
    const { methods, state } = await createPluginHost({
      configuration: "{ plugins: { entries: { off: { enabled: false } } } }",
      watcher: () => {},
    });
    writePlugin(join(state.extensionsDir, "off"), { manifest: { id: "off" } });
    writePlugin(join(state.extensionsDir, "bad"), {
      manifest: { id: "bad" },
      register: 'throw new Error("no luck");',
    });
    await methods.call("plugins.reload", {});
    const { plugins, diagnostics, generation } = await methods.call("plugins.list", {});
    expect(generation).toBeGreaterThan(0);
    const byId = Object.fromEntries(plugins.map((plugin) => [plugin.id, plugin]));
    expect(byId).toMatchObject({
      watcher: { status: "loaded" },
      off: { status: "disabled", reason: expect.any(String), version: "1.0.0" },
      bad: { status: "error", reason: expect.stringContaining("no luck") },
    });
    expect(diagnostics).toContainEqual(
      expect.objectContaining({ level: "error", pluginId: "bad", hint: expect.any(String) }),
    );
    const off = await methods.call("plugins.inspect", { id: "off" });
    expect(off).toMatchObject({ hooks: [], registered: {} });
    expect(off).not.toHaveProperty("loadMs");
  });

  it("examine all plugins or one", async () => {
    const { methods, state } = await createPluginHost({ watcher: () => {} });
    writePlugin(join(state.extensionsDir, "bad"), {
      manifest: { id: "bad" },
      register: 'throw new Error("no luck");',
    });
    await methods.call("plugins.reload", {});
    const all = await methods.call("plugins.doctor", {});
    expect(all.plugins.map(({ id }) => id).sort()).toEqual(["bad", "watcher"]);
    const failure = expect.objectContaining({ level: "error", pluginId: "bad" });
    expect(all.diagnostics).toContainEqual(failure);
    const one = await methods.call("plugins.doctor", { id: "bad" });
    expect(one.plugins).toMatchObject([{ id: "bad", status: "error" }]);
    expect(one.diagnostics).toContainEqual(failure);
    expect(one.diagnostics.every(({ pluginId }) => pluginId === "bad")).toBe(true);
    await expect(methods.call("plugins.doctor", { id: "badd" })).rejects.toMatchObject({
      code: "PLUGIN_NOT_FOUND",
    });
  });

  it("[SDK-065] show what a plugin reports, and the hook files that it cannot use", async () => {
    const { methods } = await createPluginHost({
      watcher: (api) => {
        api.diagnose({ level: "warn", message: "the key limit is 0", hint: "set limit to 1" });
        api.registerHookSet({
          list: () => ({ hooks: [], problems: [{ source: "a.hook.json", message: "not JSON" }] }),
          show: async () => undefined,
          setEnabled: async () => undefined,
          test: async () => undefined,
          approve: async () => undefined,
        });
      },
    });
    const { diagnostics } = await methods.call("plugins.doctor", { id: "watcher" });
    expect(diagnostics).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          ...{ level: "warn", code: "plugin-reported", message: "the key limit is 0" },
          hint: "set limit to 1",
        }),
        expect.objectContaining({
          ...{ level: "warn", code: "hook-file", message: "a.hook.json: not JSON" },
        }),
      ]),
    );
  });

  it("return a plugin's registrations and the counts of its handlers", async () => {
    const { methods, plugins } = await createPluginHost({
      watcher: (api) => {
        api.on("gateway_pre_start", () => undefined, { priority: 5 });
        api.on("gateway_pre_start", () => {
          throw new Error("no luck");
        });
        api.registerTool({
          name: "look",
          label: "Look",
          description: "Looks.",
          parameters: { type: "object" },
          execute: async () => ({ content: [] }),
        });
      },
    });
    await plugins.boot({ port: 0, host: "127.0.0.1", reason: "boot" }, { callDepth: 0 });
    expect(await methods.call("plugins.inspect", { id: "watcher" })).toMatchObject({
      registered: { toolNames: ["look"] },
      hooks: [
        { hook: "gateway_pre_start", priority: 5, active: true, fired: 1, failed: 0 },
        { hook: "gateway_pre_start", priority: 0, active: true, fired: 1, failed: 1 },
      ],
    });
  });
});
