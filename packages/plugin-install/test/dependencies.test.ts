import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import {
  type PluginFiles,
  packFolder,
  startNpmRegistry,
  temporaryFolder,
  writePlugin,
} from "@openclaw/foundation/testing";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { installDependencies } from "../src/dependencies.js";
import { type DependencySource, dependencySource } from "../src/dependency-source.js";
import { parsePluginSpecifier, stagePlugin } from "../src/source.js";
import { assertSelfContained } from "../src/tree.js";

// Processes and files take longer on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

function workplace() {
  const folder = temporaryFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  return folder;
}

/** Packs, unpacks and completes a plugin; returns its folder. */
async function complete(
  place: ReturnType<typeof workplace>,
  plugin: PluginFiles,
  allowed: readonly DependencySource[] = [],
): Promise<string> {
  const dir = writePlugin(join(place.path, "mine"), {
    ...plugin,
    package: { name: "guard", version: "1.0.0", ...plugin.package },
  });
  await packFolder(dir, join(place.path, "guard.tgz"));
  const source = await parsePluginSpecifier("guard.tgz", place.path);
  if (source.kind === "first-party") throw new Error("an archive is not a package of this project");
  const staged = await stagePlugin(source, "guard.tgz", place.path);
  await installDependencies(staged, { pluginId: "guard", allowed });
  return staged.dir;
}

describe("dependencySource", () => {
  it.each([
    ["registry", ["", "*", "latest", "^1.2.3", "1.x || >=2.5.0 <3.0.0", "npm:other@^1.0.0"]],
    ["registry", ["1.0.0-beta.1+build", "npm:@scope/other", "~1.2"]],
    ["git", ["github:user/name", "user/name", "user/name#semver:^1", "git+ssh://git@host/x.git"]],
    ["git", ["git@github.com:user/name.git", "https://github.com/user/name", "gist:11081aaa281"]],
    ["git", ["git://host/x", "https://host/x.git#main"]],
    ["url", ["https://host/x.tgz", "http://host/x", "https://github.com/u/n/archive/v1.tar.gz"]],
    ["file", ["file:../x", "./x", "../x", "/x", "~/x", "x.tgz", "C:\\x", "link:x", "workspace:*"]],
    ["unknown", ["npm:other@git+https://host/x", "exec:./x", "$(x)", "a:b"]],
  ] as const)("returns %s for %j", (source, specifiers) => {
    expect(specifiers.map(dependencySource)).toEqual(specifiers.map(() => source));
  });
});

describe("installDependencies", () => {
  it("[PLUG-046] installs from the registry, runs no scripts, and keeps the plugin's package.json", async () => {
    const place = workplace();
    const registry = await startNpmRegistry();
    const touch = "node -e \"require('fs').writeFileSync('ran','')\"";
    await registry.publish("helper", "2.0.0", { package: { scripts: { postinstall: touch } } });
    await registry.publish("@scope/part", "1.0.0", { package: { bin: "index.mjs" } });
    const dir = await complete(place, {
      package: {
        dependencies: { helper: "^2.0.0" },
        optionalDependencies: { "@scope/part": "1.0.0" },
        devDependencies: { missing: "1.0.0" },
        scripts: { postinstall: touch },
        packageManager: "pnpm@0.0.1",
      },
    });
    const files = readdirSync(dir, { recursive: true, encoding: "utf8" });
    expect(files).toContain("node_modules/helper/index.mjs");
    expect(files).toContain("node_modules/@scope/part/index.mjs");
    expect(files.filter((file) => /(?:^|\/)(?:ran|\.bin|missing)$/.test(file))).toEqual([]);
    expect(readFileSync(join(dir, "package.json"), "utf8")).toContain("packageManager");
    await assertSelfContained(dir, "guard");
  });

  it("[PLUG-046] installs the required peers of a dependency, and nothing optional or of this project", async () => {
    const place = workplace();
    const registry = await startNpmRegistry();
    const peerDependencies = { schema: "^1.0.0", openclaw: "^9.0.0", unused: "^1.0.0" };
    await registry.publish("helper", "2.0.0", {
      package: { peerDependencies, peerDependenciesMeta: { unused: { optional: true } } },
    });
    await registry.publish("schema", "1.4.0", { package: { peerDependencies: { deep: "*" } } });
    await registry.publish("deep", "3.0.0", {});
    const dir = await complete(place, { package: { dependencies: { helper: "^2.0.0" } } });
    const installed = readdirSync(join(dir, "node_modules")).filter((name) => name[0] !== ".");
    expect(installed.toSorted()).toEqual(["deep", "helper", "schema"]);
  });

  it("keeps the dependencies that the archive bundles", async () => {
    const place = workplace();
    const registry = await startNpmRegistry();
    const dir = await complete(place, {
      package: { dependencies: { helper: "^2.0.0" } },
      files: { "node_modules/helper/package.json": '{"name":"helper","version":"2.0.0"}' },
    });
    expect(readdirSync(join(dir, "node_modules/helper"))).toEqual(["package.json"]);
    expect(registry.requests).toEqual([]);
  });

  it.each([
    ["git", "git+https://example.invalid/x.git"],
    ["git", "user/name"],
    ["url", "https://example.invalid/x.tgz"],
    ["file", "file:./vendor/x"],
  ])("rejects a %s source (%s) unless the operator allows it", async (source, text) => {
    const completing = complete(workplace(), { package: { dependencies: { x: text } } });
    await expect(completing).rejects.toMatchObject({
      code: "PLUGIN_INSTALL_REFUSED",
      message: expect.stringContaining(`add "${source}" to plugins.install.allowDependencies`),
    });
  });

  it("applies the same rule to indirect dependencies", async () => {
    const place = workplace();
    const registry = await startNpmRegistry();
    await registry.publish("helper", "2.0.0", {
      package: { dependencies: { deep: `git+file://${place.path}/none` } },
    });
    const completing = complete(place, { package: { dependencies: { helper: "2.0.0" } } });
    await expect(completing).rejects.toThrow(/plugins\.install\.allowDependencies|git/);
  });

  it("packs a file dependency with the plugin when the operator allows it", async () => {
    const place = workplace();
    const plugin = {
      package: { dependencies: { part: "file:./vendor/part" } },
      files: {
        "vendor/part/package.json": '{"name":"part","version":"1.0.0"}',
        "vendor/part/index.js": "",
      },
    };
    const dir = await complete(place, plugin, ["file"]);
    expect(readdirSync(join(dir, "node_modules/part")).sort()).toEqual([
      "index.js",
      "package.json",
    ]);
    await assertSelfContained(dir, "guard");
    const outside = { package: { dependencies: { part: "file:../part" } } };
    await expect(complete(place, outside, ["file"])).rejects.toThrow(/outside the plugin/);
  });

  it("ignores programs in the archive's .npmrc, even when git is allowed", async () => {
    const place = workplace();
    const marker = join(place.path, "ran");
    const evil = join(place.path, "evil.sh");
    place.write({ "evil.sh": `#!/bin/sh\ntouch ${marker}\nexit 1\n` });
    chmodSync(evil, 0o755);
    const hostile = {
      package: { dependencies: { x: `git+file://${place.path}/none` } },
      files: { ".npmrc": `git=${evil}\nscript-shell=${evil}\nignore-scripts=false\n` },
    };
    await expect(complete(place, hostile, ["git"])).rejects.toThrow(/cannot install/);
    expect(existsSync(marker)).toBe(false);
  });
});

describe("assertSelfContained", () => {
  it("allows links inside the plugin, and no others", async () => {
    const place = workplace();
    place.write({ "plugin/bin/run.js": "", "outside.js": "" });
    const dir = join(place.path, "plugin");
    symlinkSync("../plugin/bin/run.js", join(dir, "inside"));
    await assertSelfContained(dir, "guard");
    for (const target of ["../../outside.js", "../bin/missing.js", join(dir, "bin/run.js")]) {
      symlinkSync(target, join(dir, "bin/link"));
      await expect(assertSelfContained(dir, "guard")).rejects.toThrow(
        /link that leaves the plugin/,
      );
      rmSync(join(dir, "bin/link"));
    }
  });
});
