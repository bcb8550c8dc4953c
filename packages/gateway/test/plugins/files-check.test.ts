import {
  chmodSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { writePlugin } from "@openclaw/foundation/testing";
import { describe, expect, it } from "vitest";
import { createPluginHost } from "../support/plugin-host.js";

const FILES = { "readme.md": "# Guard", "lib/help.mjs": "export {};", run: "#!/bin/sh" };

/** A host with an installed plugin, and functions that reload it. */
async function installed() {
  const host = await createPluginHost();
  const { methods, folder } = host;
  writePlugin(join(folder.path, "mine"), { files: FILES });
  await methods.call("plugins.install", { specifier: "mine", cwd: folder.path });
  const file = (name: string) => host.installed("guard", name);
  const reload = () => methods.call("plugins.reload", { id: "guard" });
  return { ...host, file, reload };
}

describe("files of an installed plugin", () => {
  it.each<[string, (file: (name: string) => string) => void, string]>([
    [
      "a changed source file",
      (file) => writeFileSync(file("index.mjs"), "export {}"),
      "index.mjs (changed)",
    ],
    [
      "a changed text",
      (file) => writeFileSync(file("readme.md"), "# Other"),
      "readme.md (changed)",
    ],
    ["a removed file", (file) => rmSync(file("lib/help.mjs")), "lib/help.mjs (removed)"],
    ["an added source file", (file) => writeFileSync(file("more.js"), ""), "more.js (added)"],
    [
      "an added file with an execute permission",
      (file) => {
        writeFileSync(file("data.bin"), "");
        chmodSync(file("data.bin"), 0o755);
      },
      "data.bin (added)",
    ],
    [
      "a file replaced by a link",
      (file) => {
        renameSync(file("run"), file("run.txt"));
        symlinkSync("run.txt", file("run"));
      },
      "run (changed)",
    ],
    [
      "a change of the same size whose modification time was set back",
      (file) => {
        const text = readFileSync(file("lib/help.mjs"), "utf8");
        writeFileSync(file("lib/help.mjs"), text.replace("export", "exporr"));
        utimesSync(file("lib/help.mjs"), 0, 0);
      },
      "lib/help.mjs (changed)",
    ],
  ])("[PLUG-080] keep the plugin from loading after %s", async (_, change, named) => {
    const { file, reload, methods, plugins, folder } = await installed();
    change(file);
    const kept = await reload();
    expect(kept).toMatchObject({ outcome: "kept", plugin: { status: "loaded" } });
    expect(kept.diagnostics).toContainEqual({
      level: "error",
      code: "files-changed",
      pluginId: "guard",
      message: expect.stringContaining(named),
      hint: expect.stringMatching(/plugins accept guard` .* `openclaw plugins update guard`/),
    });
    // The plugin is not running after a restart either.
    await methods.call("plugins.disable", { id: "guard" });
    expect(await methods.call("plugins.enable", { id: "guard" })).toMatchObject({
      outcome: "failed",
      plugin: { status: "error" },
    });
    expect(plugins.current.hooks).toEqual([]);
    writePlugin(join(folder.path, "mine"), { files: FILES });
    expect(await methods.call("plugins.update", { id: "guard" })).toMatchObject({
      outcome: "loaded",
    });
  });

  it("[PLUG-080] are accepted when the operator says so", async () => {
    const { file, reload, methods } = await installed();
    writeFileSync(file("index.mjs"), "export function register() {} // mine");
    expect(await reload()).toMatchObject({ outcome: "kept" });
    expect(await methods.call("plugins.accept", { id: "guard" })).toMatchObject({
      outcome: "loaded",
      diagnostics: [],
    });
    expect(await reload()).toMatchObject({ outcome: "loaded" });
  });

  it("may gain data files, and be copied with other times", async () => {
    const { file, reload } = await installed();
    writeFileSync(file("cache.json"), "{}");
    writeFileSync(file("index.mjs"), readFileSync(file("index.mjs")));
    expect(await reload()).toMatchObject({ outcome: "loaded", diagnostics: [] });
  });

  it("[PLUG-080] are compared as a whole when the list of files is damaged", async () => {
    const { file, reload, state } = await installed();
    writeFileSync(join(state.dir, "plugin-files/guard.json"), "{}");
    expect(await reload()).toMatchObject({ outcome: "loaded" });
    writeFileSync(file("readme.md"), "# Other");
    const kept = await reload();
    expect(kept.diagnostics).toContainEqual(
      expect.objectContaining({
        message: expect.stringContaining("its files are not those that were installed"),
      }),
    );
  });

  it("are not checked for a plugin that the operator put into the folder", async () => {
    const { methods, state } = await createPluginHost();
    const dir = join(state.extensionsDir, "by-hand");
    writePlugin(dir, { manifest: { id: "by-hand" } });
    await methods.call("plugins.reload", {});
    writeFileSync(join(dir, "index.mjs"), "export function register() {} // changed");
    expect(await methods.call("plugins.reload", { id: "by-hand" })).toMatchObject({
      outcome: "loaded",
    });
    await expect(methods.call("plugins.accept", { id: "by-hand" })).rejects.toMatchObject({
      code: "PLUGIN_INSTALL_REFUSED",
    });
  });
});

describe("plugins.update", () => {
  it("[PLUG-081] reports executable files and permissions that differ, a dependency as one entry", async () => {
    const { methods, folder } = await createPluginHost();
    const dir = join(folder.path, "mine");
    writePlugin(dir, {
      manifest: { permissions: { hooks: ["agent_end"] } },
      files: {
        ...FILES,
        "old.js": "",
        "node_modules/same/index.js": "1",
        "node_modules/@a/other/index.js": "1",
        "node_modules/@a/other/lib.js": "1",
        "node_modules/gone/index.js": "1",
      },
    });
    const parameters = { specifier: "mine", cwd: folder.path };
    expect(await methods.call("plugins.install", parameters)).not.toHaveProperty("update");
    rmSync(join(dir, "old.js"));
    rmSync(join(dir, "node_modules/gone"), { recursive: true });
    writePlugin(dir, {
      manifest: { version: "2.0.0", permissions: { hooks: ["agent_end"], exec: ["git"] } },
      register: "/* other */",
      files: {
        "readme.md": "# Not executable",
        "new.sh": "",
        "node_modules/@a/other/lib.js": "2",
        "node_modules/fresh/index.js": "1",
      },
    });
    const update = {
      files: {
        added: ["new.sh", "node_modules/fresh"],
        changed: ["index.mjs", "node_modules/@a/other"],
        removed: ["old.js", "node_modules/gone"],
      },
      permissions: { added: ["exec: git"], removed: [] },
    };
    expect(await methods.call("plugins.update", { id: "guard" })).toMatchObject({
      outcome: "kept",
      update,
    });
    expect(await methods.call("plugins.update", { id: "guard", accept: true })).toMatchObject({
      outcome: "loaded",
      update,
    });
  });
});
