import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkManifest } from "../src/manifest-check.js";

const nothing = new Set<string>();

describe("checkManifest", () => {
  it("accepts every field of its type", () => {
    const manifest = {
      $schema: "https://example.com/schema.json",
      id: "@acme/guard.v2",
      name: "Guard",
      version: "2026.9.1",
      description: "Guards.",
      configSchema: { type: "object" },
      entry: ["a.ts", "b.ts"],
      enabledByDefault: true,
      kind: ["memory"],
      channels: [],
      providers: ["local"],
      skills: [],
      uiHints: {},
      requiresPlugins: ["base", { id: "other", version: "^1" }],
      legacyPluginIds: ["old"],
      contracts: { tools: ["t"], hooks: [] },
      toolMetadata: {},
      commandAliases: [],
      cliCommands: {},
      activation: { onStartup: true },
      mcpServers: {},
      permissions: { tools: ["t"], network: { hosts: ["example.com"] } },
      isolation: "none",
      compat: { pluginApi: "1" },
      proposals: [],
    };
    expect(checkManifest(manifest, nothing)).toEqual({ manifest, problems: [] });
  });

  it.each<[string, unknown, string]>([
    ["id", "Upper", "1 to 100 characters"],
    ["id", "", "1 to 100 characters"],
    ["id", "x".repeat(101), "1 to 100 characters"],
    ["id", "-dash", "1 to 100 characters"],
    ["name", 7, "a string, got number 7"],
    ["enabledByDefault", "yes", "true or false, got string"],
    ["entry", [1], "a string or a list of strings, got a list"],
    ["configSchema", [], "an object, got a list"],
    ["requiresPlugins", [{ id: "a" }], "a list of ids"],
    ["contracts", { tools: "t" }, "an object of lists of strings"],
    ["commandAliases", "x", "an object or a list"],
    ["isolation", "vm", '"none", "worker" or "process"'],
    ["channels", null, "a list of strings, got null"],
  ])("refuses %s as %j", (field, value, expected) => {
    const { manifest, problems } = checkManifest({ id: "guard", [field]: value }, nothing);
    expect(manifest).toBeUndefined();
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({
      code: "manifest-invalid",
      message: expect.stringContaining(`at "/${field}": expected ${expected}`),
    });
  });

  it("tells what it accepts without acting on it", () => {
    const { problems } = checkManifest(
      { id: "guard", skills: ["s"], mcpServers: { a: {} }, isolation: "worker" },
      nothing,
    );
    expect(problems).toEqual([
      expect.objectContaining({
        code: "manifest-not-used",
        message: expect.stringContaining("skills, mcpServers, isolation"),
      }),
    ]);
  });

  it("gives a manifest or says what is wrong, for any JSON at all", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const { manifest, problems } = checkManifest(value, nothing);
        const invalid = problems.some(({ code }) => code === "manifest-invalid");
        return invalid === (manifest === undefined);
      }),
    );
  });

  it("takes names of every object's members for unknown fields", () => {
    const value = JSON.parse('{ "id": "guard", "__proto__": { "id": "other" }, "constructor": 1 }');
    const { manifest, problems } = checkManifest(value, nothing);
    expect(manifest?.id).toBe("guard");
    expect(problems.map(({ code }) => code)).toEqual([
      "manifest-unknown-field",
      "manifest-unknown-field",
    ]);
  });
});
