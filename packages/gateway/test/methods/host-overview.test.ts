import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { loadConfiguration } from "@openclaw/configuration";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { describe, expect, it } from "vitest";
import { inspectConfiguration, inspectPlugins } from "../../src/methods/host-overview.js";

describe("inspectConfiguration", () => {
  it("reports whether the file exists, and every error and warning in it", async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "openclaw.json");
    expect(await inspectConfiguration(file)).toEqual({ exists: false, errors: [], warnings: [] });
    folder.write({ "openclaw.json": "{ plugins: { enabeld: true } }" });
    expect(await inspectConfiguration(file)).toMatchObject({
      exists: true,
      errors: [],
      warnings: [{ key: "plugins.enabeld" }],
    });
    folder.write({ "openclaw.json": "{ gatway: {}, loging: {} }" });
    expect(await inspectConfiguration(file)).toMatchObject({
      exists: true,
      errors: [{ key: "gatway" }, { key: "loging" }],
      warnings: [],
    });
  });

  it("reports a file that cannot be read as an error", async () => {
    using folder = temporaryFolder();
    mkdirSync(join(folder.path, "openclaw.json"));
    expect(await inspectConfiguration(join(folder.path, "openclaw.json"))).toMatchObject({
      errors: [{ message: expect.stringContaining("cannot read the file") }],
    });
  });
});

describe("inspectPlugins", () => {
  it("finds the plugins of every location and whether they are enabled, without running them", async () => {
    using folder = temporaryFolder();
    const plugin = (id: string) => ({
      [`${id}/openclaw.plugin.json`]: JSON.stringify({ id, entry: "index.js" }),
      [`${id}/index.js`]: 'throw new Error("it was loaded");',
    });
    folder.write({
      "openclaw.json": "{ plugins: { deny: ['named'] } }",
      ...plugin("state/extensions/kept"),
      ...plugin("named"),
    });
    folder.write({
      "state/extensions/kept/openclaw.plugin.json": '{ "id": "kept", "entry": "index.js" }',
    });
    const overview = await inspectPlugins({
      version: "1.0.0",
      configuration: await loadConfiguration(join(folder.path, "openclaw.json")),
      workspaceDir: join(folder.path, "workspace"),
      bundledExtensions: [],
      pluginPaths: [join(folder.path, "named")],
      stateDir: join(folder.path, "state"),
    });
    const enabled = Object.fromEntries(overview.plugins.map((each) => [each.id, each.enabled]));
    expect(enabled).toEqual({ kept: true, named: false });
    expect(JSON.stringify(overview)).not.toContain("it was loaded");
  });

  it("warns about a plugin when policy hides all of its tools", async () => {
    using folder = temporaryFolder();
    folder.write({
      "openclaw.json": '{ tools: { allow: ["read"] } }',
      "state/extensions/web/openclaw.plugin.json":
        '{ "id": "web", "entry": "index.js", "contracts": { "tools": ["search"] } }',
      "state/extensions/web/index.js": "",
    });
    const { policy } = await inspectPlugins({
      version: "1.0.0",
      configuration: await loadConfiguration(join(folder.path, "openclaw.json")),
      workspaceDir: join(folder.path, "workspace"),
      bundledExtensions: [],
      stateDir: join(folder.path, "state"),
    });
    expect(policy).toMatchObject([
      { code: "POLICY_PLUGIN_HIDDEN", message: expect.stringContaining("web") },
    ]);
  });
});
