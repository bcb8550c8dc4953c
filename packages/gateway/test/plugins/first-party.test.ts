import { existsSync } from "node:fs";
import { join } from "node:path";
import { startNpmRegistry, writePlugin } from "@openclaw/foundation/testing";
import { describe, expect, it, vi } from "vitest";
import { createPluginHost } from "../support/plugin-host.js";

// Processes and files take longer on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const createHost = () =>
  createPluginHost({
    bundled: ({ path }) => [
      writePlugin(join(path, "bundled"), {
        manifest: { id: "bundled", enabledByDefault: false },
        package: { name: "@openclaw/bundled", version: "1.0.0" },
      }),
    ],
  });

describe("packages with a name of this project", () => {
  it.each(["openclaw", "@openclaw/guard", "npm:@openclaw/guard@1.0.0", "create-openclaw-plugin"])(
    "[PLUG-085] are not fetched from a registry: %s",
    async (specifier) => {
      const registry = await startNpmRegistry();
      const { methods, folder } = await createHost();
      await expect(
        methods.call("plugins.install", { specifier, cwd: folder.path }),
      ).rejects.toMatchObject({
        code: "PLUGIN_SOURCE_UNUSABLE",
        message: expect.stringMatching(
          /is not part of this installation, and the npm registry has the name from another publisher; use one of @openclaw\/bundled, or install a folder or an archive$/,
        ),
      });
      expect(registry.requests).toEqual([]);
    },
  );

  it("[PLUG-085] are turned on when the installation contains them", async () => {
    const { methods, folder } = await createHost();
    const parameters = { specifier: "@openclaw/bundled", cwd: folder.path };
    expect(await methods.call("plugins.install", parameters)).toMatchObject({
      outcome: "loaded",
      plugin: { id: "bundled", origin: "bundled", status: "loaded" },
    });
  });

  it("[PLUG-085] are not installed as dependencies, direct or indirect", async () => {
    const registry = await startNpmRegistry();
    await registry.publish("openclaw", "9.9.9", {});
    await registry.publish("@openclaw/parts", "9.9.9", {});
    await registry.publish("library", "1.0.0", {
      package: { dependencies: { "@openclaw/parts": "*" } },
    });
    const { methods, folder, installed } = await createHost();
    writePlugin(join(folder.path, "mine"), {
      package: {
        name: "guard",
        version: "1.0.0",
        dependencies: { openclaw: "*", library: "1.0.0" },
      },
    });
    const parameters = { specifier: "./mine", cwd: folder.path };
    expect(await methods.call("plugins.install", parameters)).toMatchObject({ outcome: "loaded" });
    expect(existsSync(installed("guard", "node_modules/library/package.json"))).toBe(true);
    for (const name of ["openclaw", "@openclaw/parts", "library/node_modules/@openclaw/parts"]) {
      expect(existsSync(installed("guard", `node_modules/${name}/package.json`)), name).toBe(false);
    }
  });
});

describe("other sources", () => {
  it("[PLUG-085] a clawhub: specifier is answered with what to do instead", async () => {
    const { methods, folder } = await createHost();
    const parameters = { specifier: "clawhub:@acme/guard@1.2.0", cwd: folder.path };
    await expect(methods.call("plugins.install", parameters)).rejects.toMatchObject({
      code: "PLUGIN_SOURCE_UNUSABLE",
      message:
        'cannot install "clawhub:@acme/guard@1.2.0": this host does not read the ClawHub registry; if its author also publishes it to npm, install `npm:@acme/guard`; otherwise download it, and install the folder or archive',
    });
  });
});

describe("dependencies without a fixed version", () => {
  it("[PLUG-082] are reported with file and line, and do not prevent the install", async () => {
    const registry = await startNpmRegistry();
    for (const name of ["fixed", "loose", "newest"]) await registry.publish(name, "1.0.0", {});
    const { methods, folder } = await createHost();
    const manifest = {
      name: "guard",
      version: "1.0.0",
      dependencies: { fixed: "1.0.0", loose: "^1.0.0", carried: "*" },
      optionalDependencies: { newest: "latest" },
    };
    writePlugin(join(folder.path, "mine"), {
      files: {
        "package.json": JSON.stringify({ ...manifest, bundledDependencies: ["carried"] }, null, 2),
        "node_modules/carried/package.json": '{ "name": "carried", "version": "1.0.0" }',
      },
    });
    const { diagnostics } = await methods.call("plugins.install", {
      specifier: "./mine",
      cwd: folder.path,
    });
    expect(diagnostics.filter(({ code }) => code === "scan-floating-dependency")).toEqual([
      {
        level: "warn",
        code: "scan-floating-dependency",
        pluginId: "guard",
        message:
          "package.json:6 does not fix the version of loose (^1.0.0), newest (latest), so a later install can run other code",
      },
    ]);
  });
});
