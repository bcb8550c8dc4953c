import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseJson5 } from "@openclaw/foundation/json-document";
import { describe, expect, it, onTestFinished } from "vitest";
import { buildManifest, createTestHost, writeManifest } from "../src/index.js";

const CODE = `
  const tool = (name) => ({
    name,
    description: "Does it.",
    parameters: { type: "object", properties: {} },
    execute: () => "done",
  });
  export default (api) => {
    api.registerTool(tool("one"));
    if (api.pluginConfig.more) api.registerTool(tool("two"));
    api.on("message_sent", () => {});
    api.registerService({ id: "worker", start() {} });
    api.registerProvider({ id: "models", defaultModel: "m", paid: false, setup: "-", languageModel() {} });
  };
`;

/** A plugin in a separate folder. */
function plugin(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "openclaw-build-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, content] of Object.entries({ "index.mjs": CODE, ...files })) {
    writeFileSync(join(folder, name), content);
  }
  return folder;
}

const MANIFEST = `{
  // Stays where it is.
  id: 'built',
  entry: "index.mjs", /* and so does this */
  contracts: {
    tools: ["gone"], // old
  },
  permissions: { exec: ["git"] },
}
`;

describe("manifest build", { timeout: 30_000 }, () => {
  it("[SDK-035] writes the registrations and keeps comments, order and the rest", async () => {
    const path = plugin({ "openclaw.plugin.json": MANIFEST });
    const build = await buildManifest({ path });
    expect(build.file).toBe(join(path, "openclaw.plugin.json"));
    expect(build.drift).toEqual([
      'it registers "one" and does not declare it under tools',
      'it declares "gone" under tools and does not register it',
      'it registers "message_sent" and does not declare it under hooks',
      'it registers "worker" and does not declare it under services',
      'it registers "models" and does not declare it under providers',
    ]);
    expect(readFileSync(build.file, "utf8"), "is not written yet").toBe(MANIFEST);

    writeManifest(build);
    const written = readFileSync(build.file, "utf8");
    expect(written).toBe(build.text);
    for (const kept of [
      "// Stays where it is.",
      "id: 'built'",
      "/* and so does this */",
      "// old",
    ]) {
      expect(written).toContain(kept);
    }
    expect(written).toMatch(/exec: \["git"\]/);
    expect(readdirSync(path).sort()).toEqual(["index.mjs", "openclaw.plugin.json"]);
    expect((await buildManifest({ path })).drift).toEqual([]);
  });

  it("[SDK-500] takes the version of the package when the manifest has another one", async () => {
    const manifest = `{ id: "built", version: "1.0.0", entry: "quiet.mjs" }`;
    const path = plugin({
      "openclaw.plugin.json": manifest,
      "package.json": `{ "name": "built", "version": "1.1.0", "type": "module" }`,
      "quiet.mjs": "export default () => {};",
    });
    const build = await buildManifest({ path });
    expect(build.drift).toEqual(["its version is 1.1.0 in package.json"]);
    expect(build.text).toBe(manifest.replace("1.0.0", "1.1.0"));
  });

  it("[SDK-035] changes nothing when names and patterns already cover the registrations", async () => {
    const manifest = `{ "id": "built", "entry": "index.mjs", "providers": ["models"],
      "permissions": { "tools": ["o*"], "hooks": ["message_*"], "services": ["worker"] } }`;
    const path = plugin({ "openclaw.plugin.json": manifest });
    expect(await buildManifest({ path })).toMatchObject({ drift: [], text: manifest });
    const configured = await buildManifest({ path, pluginConfig: { more: true } });
    expect(configured.drift).toEqual(['it registers "two" and does not declare it under tools']);
  });

  it("[SDK-035] keeps routes and tools that a plugin with reload rules registers with another configuration", async () => {
    const manifest = `{ "id": "built", "entry": "index.mjs", "permissions": { "routes": ["/webhook", "/channels/*"], "tools": ["*"] } }`;
    const route = `api.registerHttpRoute({ path: "/ui", auth: "gateway", handler: () => {} });`;
    const rules = `api.registerReload({ hotPrefixes: ["channels.built"] });`;
    const buildOf = (...lines: string[]) =>
      buildManifest({
        path: plugin({
          "openclaw.plugin.json": manifest,
          "index.mjs": `export function register(api) { ${lines.join("\n")} }`,
        }),
      });
    // Tools that are known only while a plugin runs are declared as `*`, and routes below their path.
    expect((await buildOf()).drift).toEqual([
      'it declares "/webhook" under routes and does not register it',
    ]);
    expect(await buildOf(rules)).toMatchObject({ drift: [], text: manifest });
    const both = await buildOf(rules, route);
    expect(both.drift).toEqual(['it registers "/ui" and does not declare it under routes']);
    expect(JSON.parse(both.text).permissions.routes).toEqual(["/channels/*", "/ui", "/webhook"]);
  });

  it("[PLUG-340] writes routes relative to the plugin's mount and sessions without its ID, and converts the long forms", async () => {
    const long = ["/plugins/built/count", "/plugin/built/old", "/plugins/built", "/files/*"];
    const permissions = { routes: long, sessions: ["built/notes"] };
    const manifest = { id: "built", entry: "index.mjs", permissions };
    const path = plugin({
      "openclaw.plugin.json": JSON.stringify(manifest),
      "index.mjs": `export function register(api) {
        for (const path of ["/count", "/plugin/built/old", "/plugins/built", "/plugins/built/files/a"]) {
          api.registerHttpRoute({ path, auth: "gateway", handler: () => {} });
        }
        api.registerHttpHandler(() => false);
        api.registerSessionExtension({ namespace: "notes", description: "Notes." });
      }`,
    });
    const build = await buildManifest({ path });
    expect(build.drift).toEqual([
      'it declares "/plugins/built/count" under routes, which is "/count" without the prefix of the plugin',
      'it declares "/plugin/built/old" under routes, which is "/old" without the prefix of the plugin',
      'it declares "/plugins/built" under routes, which is "/" without the prefix of the plugin',
      'it declares "built/notes" under sessions, which is "notes" without the prefix of the plugin',
      'it registers "/*" and does not declare it under routes',
    ]);
    expect(JSON.parse(build.text).permissions).toEqual({
      routes: ["/", "/*", "/count", "/files/a", "/old"],
      sessions: ["notes"],
    });
    writeManifest(build);
    expect((await buildManifest({ path })).drift).toEqual([]);
    // A host that rejects everything undeclared loads it.
    await using host = await createTestHost({
      plugin: path,
      config: { plugins: { permissions: "strict" } },
    });
    expect(host.plugin.httpRoutes).toContain("/plugins/built/count");
  });

  it("writes one list of each kind, at its place in the manifest", async () => {
    const path = plugin({
      "package.json": JSON.stringify({
        name: "built",
        openclaw: { id: "built", extensions: ["./index.mjs"], permissions: { tools: ["gone"] } },
      }),
    });
    const build = await buildManifest({ path });
    expect(JSON.parse(build.text)).toEqual({
      name: "built",
      openclaw: {
        id: "built",
        extensions: ["./index.mjs"],
        permissions: {},
        contracts: { tools: ["one"], hooks: ["message_sent"], services: ["worker"] },
        providers: ["models"],
      },
    });
  });

  it("writes the exported configSchema, and keeps one that only the manifest has", async () => {
    const properties = { model: { type: "string" } };
    const code = (schema: string) => `export default { id: "built", ${schema} register() {} };`;
    const manifest = `{
  id: 'built', // Stays where it is.
  entry: "index.mjs",
  configSchema: { type: "object", properties: {} },
}
`;
    const path = plugin({
      "openclaw.plugin.json": manifest,
      "index.mjs": code(
        `configSchema: { properties: ${JSON.stringify(properties)}, type: "object" },`,
      ),
    });
    const build = await buildManifest({ path });
    expect(build.drift).toEqual(["its configSchema differs from the one that its code exports"]);
    expect(parseJson5(build.text).value).toEqual({
      id: "built",
      entry: "index.mjs",
      configSchema: { type: "object", properties },
    });
    expect(build.text).toContain("// Stays where it is.");
    writeManifest(build);
    expect((await buildManifest({ path })).drift).toEqual([]);

    const silent = plugin({ "openclaw.plugin.json": manifest, "index.mjs": code("") });
    expect(await buildManifest({ path: silent })).toMatchObject({ drift: [], text: manifest });
  });

  it("rejects a plugin without a manifest", async () => {
    const path = join(plugin({}), "index.mjs");
    await expect(buildManifest({ path })).rejects.toMatchObject({
      code: "PLUGIN_MANIFEST_MISSING",
    });
  });
});
