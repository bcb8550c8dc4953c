import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Mutex } from "@openclaw/foundation";
import {
  bindMount,
  canBindMount,
  type PluginFiles,
  packFolder,
  startNpmRegistry,
  temporaryFolder,
  writePlugin,
} from "@openclaw/foundation/testing";
import type { PluginDiagnostic } from "@openclaw/plugin-discovery";
import {
  createPluginInstaller,
  digestOfInventory,
  installRecords,
  Marketplaces,
  PluginInstallRefusedError,
  readInventory,
} from "@openclaw/plugin-install";
import { NetworkClient } from "@openclaw/safety";
import { describe, expect, it, vi } from "vitest";
import {
  createPluginHost,
  type PluginHost,
  type PluginHostOptions,
} from "../support/plugin-host.js";

// Processes and files take longer on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

async function installerOf(
  options?: PluginHostOptions,
  diagnostics: readonly PluginDiagnostic[] = [],
) {
  const host = await createPluginHost(options);
  const { plugins, state, folder } = host;
  const ignore = () => undefined;
  const records = installRecords(state);
  const places = {
    plugins,
    state,
    logger: { debug: ignore, info: ignore, warn: ignore, error: ignore },
    now: () => 1_700_000_000_000,
  };
  const network = new NetworkClient();
  const installer = createPluginInstaller(places, {
    ...{ records, network, mutex: new Mutex() },
    marketplaces: new Marketplaces({ ...places, network }),
    activate: async () => ({
      ...{ outcome: "loaded", generation: { ...plugins.current, diagnostics }, durationMs: 0 },
      retired: Promise.resolve(),
    }),
    undone: async () => {},
  });
  const write = (plugin?: PluginFiles, name = "mine") =>
    writePlugin(join(folder.path, name), plugin);
  const install = (specifier = "mine", more: { force?: boolean; accept?: boolean } = {}) =>
    installer.install(specifier, { cwd: folder.path, ...more });
  return { host, installer, records, write, install };
}

/** Expects that nothing is installed and nothing of an attempt is left. */
function expectUntouched({ state }: PluginHost): void {
  expect(readdirSync(state.extensionsDir)).toEqual([]);
  expect(readdirSync(join(state.dir, "staging"))).toEqual([]);
}

describe("install", () => {
  it("[PLUG-116] names the files that a release on npm would lack", async () => {
    const { write, install } = await installerOf();
    write({ package: { name: "guard", version: "1.0.0", files: ["index.mjs"] } });
    expect(await install()).toMatchObject({
      outcome: "installed",
      findings: [
        {
          severity: "warn",
          file: "package.json",
          message: 'leaves openclaw.plugin.json out of "files"; a release on npm would lack it',
        },
      ],
    });
  });

  it("[PLUG-088] says which version fits when the installed one lacks parts of the SDK", async () => {
    const registry = await startNpmRegistry();
    await registry.publish("guard", "1.0.0", {});
    await registry.publish("guard", "2.0.0", {
      files: { "index.mjs": 'import "openclaw/plugin-sdk/nowhere"; export function register() {}' },
    });
    const { install } = await installerOf({}, [
      { level: "warn", code: "sdk-parts-missing", message: "it is limited", pluginId: "guard" },
    ]);
    expect(await install("guard")).toMatchObject({
      outcome: "installed",
      advice: "version 1.0.0 fits this host: `openclaw plugins install guard@1.0.0`",
    });
    expect(await install("guard@1.0.0")).toMatchObject({
      advice: "no other version is known to fit (checked: 2.0.0 of 2 published)",
    });
  });

  it("[PLUG-046] moves a folder into place and records its version and source", async () => {
    const { host, records, write, install } = await installerOf();
    const dir = write({ manifest: { permissions: { hooks: ["before_tool_call"] } } });
    expect(await install("./mine")).toEqual({
      outcome: "installed",
      pluginId: "guard",
      load: expect.objectContaining({ outcome: "loaded" }),
      findings: [],
    });
    expect(readdirSync(host.installed("guard"))).toEqual(["index.mjs", "openclaw.plugin.json"]);
    expect(await records.list()).toEqual([
      {
        pluginId: "guard",
        requested: dir,
        kind: "plugin-dir",
        version: "1.0.0",
        filesDigest: digestOfInventory(await readInventory(dir)),
        installedAt: 1_700_000_000_000,
        permissions: expect.objectContaining({ hooks: ["before_tool_call"] }),
      },
    ]);
    expect(readdirSync(join(host.state.dir, "staging"))).toEqual([]);
  });

  it("[PLUG-046] records the integrity of an archive", async () => {
    const { host, records, write, install } = await installerOf();
    const plugin = write({ package: { name: "guard", version: "1.2.3" } });
    const file = await packFolder(plugin, join(host.folder.path, "guard.tgz"));
    await install("guard.tgz");
    expect(await records.list()).toMatchObject([
      {
        requested: file,
        kind: "plugin-archive",
        packageVersion: "1.2.3",
        integrity: expect.stringMatching(/^sha512-/),
      },
    ]);
  });

  it("uses one folder for an ID with a scope", async () => {
    const { host, installer, write, install } = await installerOf();
    write({ manifest: { id: "@me/guard" } });
    await install();
    expect(existsSync(host.installed("@me/guard", "index.mjs"))).toBe(true);
    expect(readdirSync(host.state.extensionsDir)).toEqual(["@me"]);
    expect(await installer.remove("@me/guard")).toBe(true);
    expect(readdirSync(host.state.extensionsDir)).toEqual([]);
  });

  it("[PLUG-046] runs no code of the plugin", async () => {
    const { host, write, install } = await installerOf();
    const file = join(host.folder.path, "ran");
    const run = `(await import("node:fs")).writeFileSync(${JSON.stringify(file)}, "");`;
    const touch = `touch ${JSON.stringify(file)}`;
    write({
      package: {
        name: "guard",
        version: "1.0.0",
        scripts: { preinstall: touch, install: touch, postinstall: touch, prepare: touch },
      },
      files: { "index.mjs": `${run} export function register() {}` },
    });
    expect(await install()).toMatchObject({ outcome: "installed" });
    expect(existsSync(host.installed("guard", "package.json"))).toBe(true);
    expect(existsSync(file)).toBe(false);
  });

  it("installs and records two plugins concurrently", async () => {
    const { records, write, install } = await installerOf();
    write({ manifest: { id: "one" } }, "first");
    write({ manifest: { id: "two" } }, "second");
    await Promise.all([install("first"), install("second"), install("first")]);
    const ids = (await records.list()).map(({ pluginId }) => pluginId);
    expect(ids.sort()).toEqual(["one", "two"]);
  });

  it("replaces the installed version completely", async () => {
    const { host, records, write, install } = await installerOf();
    write({ files: { "old.txt": "" } }, "v1");
    write({ manifest: { version: "2.0.0" } }, "v2");
    await install("v1");
    await install("v2");
    expect(readdirSync(host.installed("guard"))).toEqual(["index.mjs", "openclaw.plugin.json"]);
    expect(await records.list()).toMatchObject([{ version: "2.0.0" }]);
  });
});

describe("rejected install", () => {
  const refusal = (message: RegExp) => ({
    code: "PLUGIN_INSTALL_REFUSED",
    message: expect.stringMatching(message),
  });

  it.each([
    ["without a manifest", { "readme.txt": "" }, /manifest/],
    ["with a manifest that is broken", { "openclaw.plugin.json": '{ "id": "No Id" }' }, /"No Id"/],
  ])("%s", async (_, files, message) => {
    const { host, install } = await installerOf();
    for (const [file, content] of Object.entries(files)) {
      host.folder.write({ [`mine/${file}`]: content });
    }
    await expect(install()).rejects.toMatchObject(refusal(message));
    await expect(install()).rejects.toThrow(PluginInstallRefusedError);
    expectUntouched(host);
  });

  it("is rejected for a critical finding of the scan, unless it is forced", async () => {
    const { host, write, install } = await installerOf();
    write({ register: 'fetch("x", { body: "~/.ssh/id_rsa" }); eval("1");' });
    await expect(install()).rejects.toMatchObject(
      refusal(/"guard" is not installed: index\.mjs:1 refers to a file.*--force/),
    );
    expectUntouched(host);
    const { findings } = (await install("mine", { force: true })) as { findings: unknown };
    expect(findings).toMatchObject([{ severity: "critical" }, { severity: "warn" }]);
  });

  it("[HOOKCAT:before_install] is rejected when a plugin blocks it, forced or not", async () => {
    const asked: unknown[] = [];
    const { host, write, install } = await installerOf({
      watcher: (api) =>
        api.on("before_install", (event) => {
          const { targetType, targetName, sourcePath, request, builtinScan, plugin } = event;
          const exists = existsSync(join(sourcePath, "index.mjs"));
          asked.push({ targetType, targetName, request, builtinScan, plugin, exists });
          return { block: true, blockReason: "not in this house" };
        }),
    });
    write({
      manifest: { name: "The guard", permissions: { network: { hosts: ["example.org"] } } },
      package: { name: "guard-package", version: "1.0.0" },
      register: "eval('1');",
    });
    await expect(install("mine", { force: true })).rejects.toMatchObject(
      refusal(/not in this house/),
    );
    expectUntouched(host);
    expect(asked).toMatchObject([
      {
        targetType: "plugin",
        targetName: "The guard",
        exists: true,
        request: { kind: "plugin-dir", mode: "install", requestedSpecifier: "mine" },
        builtinScan: { status: "ok", scannedFiles: 1, warn: 1, critical: 0 },
        plugin: {
          pluginId: "guard",
          packageName: "guard-package",
          version: "1.0.0",
          permissions: { "network.hosts": ["example.org"] },
        },
      },
    ]);
  });

  it("has a default reason when the blocking plugin gives none", async () => {
    const { write, install } = await installerOf({
      watcher: (api) => api.on("before_install", () => ({ block: true })),
    });
    write();
    await expect(install()).rejects.toMatchObject(refusal(/a plugin blocked the install/));
  });

  it("[HOOKCAT:before_install] [PLUG-046] is rejected when a before_install handler fails", async () => {
    const { host, write, install } = await installerOf({
      watcher: (api) =>
        api.on("before_install", () => {
          throw new Error("the watcher is broken");
        }),
    });
    write();
    await expect(install("mine", { force: true })).rejects.toMatchObject(
      refusal(/is not installed/),
    );
    expectUntouched(host);
  });

  it("[HOOKCAT:before_install] is rejected for a critical finding of a before_install handler", async () => {
    const finding = { ruleId: "x", file: "index.mjs", line: 7, message: "looks wrong" };
    const { host, write, install } = await installerOf({
      watcher: (api) =>
        api.on("before_install", () => ({
          findings: [
            { ...finding, severity: "info" },
            { ...finding, severity: "critical" },
          ],
        })),
    });
    write();
    await expect(install()).rejects.toMatchObject(refusal(/index\.mjs:7 looks wrong/));
    expectUntouched(host);
    expect(await install("mine", { force: true })).toMatchObject({
      findings: [{ severity: "info" }, { severity: "critical" }],
    });
  });
});

describe("update", () => {
  it("[PLUG-047] is not installed until its additional permissions are accepted", async () => {
    const modes: string[] = [];
    const { host, records, write, install } = await installerOf({
      watcher: (api) =>
        api.on("before_install", ({ request }) => {
          modes.push(request.mode);
        }),
    });
    const permissions = { hooks: ["before_*"], network: { hosts: ["a.example.org"] } };
    write({ manifest: { permissions } }, "v1");
    write(
      {
        manifest: {
          version: "2.0.0",
          permissions: {
            hooks: ["before_tool_call"],
            network: { hosts: ["a.example.org", "b.example.org"] },
            exec: ["git"],
          },
        },
      },
      "v2",
    );
    await install("v1");
    expect(await install("v2")).toEqual({
      outcome: "permissions-added",
      pluginId: "guard",
      changes: {
        code: { diff: expect.stringContaining('"version":"2.0.0"'), omitted: [] },
        files: { added: [], changed: [], removed: [] },
        permissions: {
          added: ["network.hosts: b.example.org", "exec: git"],
          removed: ["hooks: before_*"],
        },
      },
    });
    expect(readFileSync(host.installed("guard", "openclaw.plugin.json"), "utf8")).toContain(
      '"1.0.0"',
    );
    expect(await records.list()).toMatchObject([{ version: "1.0.0" }]);
    expect(await install("v2", { accept: true })).toMatchObject({ outcome: "installed" });
    expect(await records.list()).toMatchObject([{ version: "2.0.0" }]);
    expect(await install("v1")).toMatchObject({ outcome: "permissions-added" });
    expect(modes).toEqual(["install", "update", "update", "update"]);
  });

  it("is rejected when npm serves a release with different content", async () => {
    const registry = await startNpmRegistry();
    const { records, install } = await installerOf();
    const first = await registry.publish("guard", "1.0.0", {});
    await install("guard");
    expect(await records.list()).toMatchObject([
      { requested: "guard", kind: "plugin-npm", packageVersion: "1.0.0", integrity: first },
    ]);
    const second = await registry.publish("guard", "1.0.0", { register: "void 0;" });
    registry.forgetDownloads();
    const updating = install("guard");
    await expect(updating).rejects.toMatchObject({ code: "PLUGIN_INSTALL_REFUSED" });
    await expect(updating).rejects.toThrow(`${second} instead of ${first}`);
    expect(await records.list()).toMatchObject([{ integrity: first }]);

    await registry.publish("guard", "1.0.1", { register: "void 1;" });
    registry.forgetDownloads();
    await install("guard");
    expect(await records.list()).toMatchObject([{ packageVersion: "1.0.1" }]);
    await registry.publish("guard", "1.0.1", {});
    registry.forgetDownloads();
    expect(await install("guard", { force: true })).toMatchObject({ outcome: "installed" });
  });

  it("[PLUG-046] keeps the previous version when the new one cannot be recorded", async () => {
    const { host, write, install } = await installerOf();
    write({}, "v1");
    write({ manifest: { version: "2.0.0" } }, "v2");
    await install("v1");
    // The list of its files cannot be replaced, because a folder has its path.
    const list = join(host.state.dir, "plugin-files", "guard.json");
    rmSync(list);
    mkdirSync(list);
    await expect(install("v2")).rejects.toThrow(/EISDIR/);
    expect(readFileSync(host.installed("guard", "openclaw.plugin.json"), "utf8")).toContain(
      '"1.0.0"',
    );
    expect(readdirSync(join(host.state.dir, "staging"))).toEqual([]);
  });

  it("is rejected completely when another file is at the plugin's path", async () => {
    const { host, write, install } = await installerOf();
    write();
    host.folder.write({ "state/extensions": "a file" });
    await expect(install()).rejects.toThrow(/EEXIST|ENOTDIR/);
  });
});

describe("remove", () => {
  it("deletes the files and the record of the plugin, and nothing else", async () => {
    const { host, installer, records, write, install } = await installerOf();
    write();
    await install();
    writePlugin(host.installed("by-hand"), { manifest: { id: "by-hand" } });
    expect(await installer.remove("by-hand")).toBe(false);
    expect(await installer.remove("guard")).toBe(true);
    expect(await installer.remove("guard")).toBe(false);
    expect(existsSync(host.installed("guard"))).toBe(false);
    expect(existsSync(host.installed("by-hand"))).toBe(true);
    expect(await records.list()).toEqual([]);
  });
});

describe.skipIf(!canBindMount())("[GW-561] folders that are mounted", () => {
  it("keeps a plugin whose folder is mounted, with its content", async () => {
    const { host, installer, records, write, install } = await installerOf();
    const source = write();
    await install();
    const before = await records.list();
    using _mount = bindMount(source, host.installed("guard"));
    for (const change of [
      () => installer.remove("guard"),
      () => install("mine", { force: true }),
    ]) {
      await expect(change()).rejects.toMatchObject({
        code: "FILE_NOT_REPLACED",
        message: expect.stringMatching(
          /guard cannot be replaced: it is mounted separately \(EBUSY.*change the plugin where it is mounted from/,
        ),
      });
    }
    expect(readdirSync(source).length).toBeGreaterThan(1);
    expect(await records.list()).toEqual(before);
    expect(readdirSync(host.state.extensionsDir)).toEqual(["guard"]);
  });

  it("installs, updates and removes plugins on a disk for plugins alone", async () => {
    const { host, installer, write, install } = await installerOf();
    using volume = temporaryFolder("volume");
    mkdirSync(host.state.extensionsDir, { recursive: true });
    using _mount = bindMount(volume.path, host.state.extensionsDir);
    write();
    expect(await install()).toMatchObject({ outcome: "installed" });
    expect(await install("mine", { force: true })).toMatchObject({ outcome: "installed" });
    expect(readdirSync(volume.path)).toEqual(["guard"]);
    expect(readdirSync(host.installed("guard"))).toContain("index.mjs");
    expect(await installer.remove("guard")).toBe(true);
    expect(readdirSync(volume.path)).toEqual([]);
    expect(readdirSync(join(host.state.dir, "staging"))).toEqual([]);
  });
});
