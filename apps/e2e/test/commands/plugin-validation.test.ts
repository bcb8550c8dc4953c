import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openclaw } from "../../src/command-line.js";
import { emptyPlace, type Place } from "../../src/place.js";

const GUARD = `
  import { definePluginEntry } from "openclaw/plugin-sdk/plugin-entry";

  export default definePluginEntry({
    id: "guard",
    register(api) {
      api.on("before_tool_call", ({ toolName }) =>
        toolName === api.pluginConfig.refused ? { block: true, blockReason: "not today" } : undefined,
      );
    },
  });
`;
const MANIFEST = `{
  // A guard.
  "id": "guard",
  "entry": "index.ts",
  "configSchema": { "type": "object", "properties": { "refused": { "type": "string" } } }
}
`;

/** A place with a plugin in its workspace. */
function placeWithGuard(manifest = MANIFEST): Place {
  const place = emptyPlace();
  place.writeWorkspace({
    "guard/index.ts": GUARD,
    "guard/openclaw.plugin.json": manifest,
    "guard.json": '{ "refused": "exec" }',
  });
  return place;
}

describe("openclaw plugins validate", () => {
  it("checks the manifest alone, without running the plugin's code", async () => {
    using place = placeWithGuard();
    place.writeWorkspace({ "guard/index.ts": "throw new Error('it ran');" });
    const result = await openclaw(["plugins", "validate", "guard"], place);
    expect(result).toMatchObject({ exitCode: 0, stderr: "" });
    expect(result.stdout).toContain("manifest-valid");
    expect(result.stdout).toContain("Only the manifest was read; `--conformance` also loads");
    using broken = placeWithGuard('{ "id": "No Id" }');
    const refused = await openclaw(["plugins", "validate", "guard"], broken);
    expect(refused.exitCode).toBe(3);
    expect(refused.stdout).toMatch(/✗ manifest-valid[^\n]*\n +error: .*"\/id"/);
  });

  it("[SDK-030] exits with 3 and a JSON report when a plugin does not conform", async () => {
    using place = placeWithGuard();
    const args = ["plugins", "validate", "guard", "--conformance", "--json"];
    const { exitCode, stdout } = await openclaw(args, place);
    const report = JSON.parse(stdout) as { passed: boolean; checks: { id: string }[] };
    expect(exitCode).toBe(3);
    expect(report).toMatchObject({ passed: false });
    expect(report.checks).toContainEqual(
      expect.objectContaining({ id: "declared-equals-registered", status: "failed" }),
    );
    expect(report.checks).toContainEqual(
      expect.objectContaining({ id: "loads-as-module", status: "passed" }),
    );
  });

  it("[SDK-030] exits with 0 for a conforming plugin, also with a configuration", async () => {
    using place = placeWithGuard();
    await openclaw(["plugins", "build", "guard"], place);
    const args = ["plugins", "validate", "guard", "--conformance", "--plugin-config", "guard.json"];
    const { exitCode, stdout } = await openclaw(args, place);
    expect(stdout).toContain("passes.");
    expect(exitCode).toBe(0);
  });

  it("offers the modules of older versions, as the gateway does, also for try and build", async () => {
    using place = placeWithGuard();
    place.writeWorkspace({
      "guard/index.ts": `import { resolvePreferredOpenClawTmpDir } from "openclaw/plugin-sdk/temp-path";
        export default { id: "guard", register: () => void resolvePreferredOpenClawTmpDir };`,
    });
    for (const verb of [["validate", "--conformance"], ["build"], ["try"]]) {
      const { exitCode, stdout } = await openclaw(["plugins", ...verb, "guard"], place);
      expect(exitCode, stdout).toBe(0);
    }
  });

  it("[PLUG-440] names a tool whose parameters are not a schema, as try and doctor do", async () => {
    using place = placeWithGuard();
    place.writeWorkspace({
      "guard/index.ts": `const tool = (name, parameters) =>
          ({ name, description: "A tool.", parameters, execute: () => "" });
        export default { id: "guard", register(api) {
          api.registerTool(tool("first", { type: "objekt" }));
          const later = { type: "object", properties: { a: { type: "strng" } } };
          api.registerTool(() => tool("later", later), { names: ["later"] });
        } };`,
    });
    const first =
      'tool "first" of plugin "guard" is left out: its parameters are not a JSON Schema at /type: expected';
    const later =
      'tool "later" of plugin "guard" is left out: its parameters are not a JSON Schema at /properties/a/type: expected';
    const tried = await openclaw(["plugins", "try", "guard"], place);
    const validated = await openclaw(["plugins", "validate", "guard", "--conformance"], place);
    place.installPlugin("guard", readFileSync(join(place.workspace, "guard/index.ts"), "utf8"));
    const doctor = await openclaw(["doctor"], place);
    const texts = [tried.stderr, validated.stdout, doctor.stdout].map((text) =>
      text.replace(/\s+/g, " "),
    );
    expect(texts.filter((text) => text.includes(first) && text.includes(later))).toEqual(texts);
    expect([tried.exitCode, validated.exitCode]).toEqual([3, 3]);
    expect(texts[0]).toContain('got string "objekt"; did you mean "object"?');
  });

  it("reports invalid arguments", async () => {
    using place = placeWithGuard();
    place.writeWorkspace({ "list.json": "[]" });
    const missing = await openclaw(["plugins", "validate", "nothing"], place);
    expect(missing.exitCode).toBe(4);
    expect(missing.stderr).toContain("no plugin found at");
    for (const file of ["list.json", "none.json"]) {
      const args = ["plugins", "validate", "guard", "--plugin-config", file];
      const { exitCode, stderr } = await openclaw(args, place);
      expect(exitCode).toBe(2);
      expect(stderr).toContain(file);
    }
  });
});

describe("openclaw plugins build", () => {
  it("[SDK-035] writes what the plugin registers, and --check fails on drift", async () => {
    using place = placeWithGuard();
    const file = join(place.workspace, "guard/openclaw.plugin.json");
    const check = ["plugins", "build", "guard", "--check", "--json"];
    const stale = await openclaw(check, place);
    expect(stale.exitCode).toBe(3);
    expect(JSON.parse(stale.stdout)).toEqual({
      file,
      drift: ['it registers "before_tool_call" and does not declare it under hooks'],
      written: false,
    });
    expect(readFileSync(file, "utf8")).toBe(MANIFEST);

    const built = await openclaw(["plugins", "build", "guard"], place);
    expect(built).toMatchObject({ exitCode: 0, stderr: "" });
    const manifest = readFileSync(file, "utf8");
    expect(manifest).toContain("// A guard.");
    expect(manifest).toMatch(/"contracts": \{\s*"hooks": \[\s*"before_tool_call"\s*\]/);
    expect((await openclaw(check, place)).exitCode).toBe(0);
  });
});
