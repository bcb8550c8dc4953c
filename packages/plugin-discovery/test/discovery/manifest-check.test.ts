import { PLUGIN_MANIFEST_SCHEMA } from "@openclaw/plugin-sdk/manifest";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkManifest } from "../../src/discovery/manifest-check.js";

const FIELDS = Object.keys(Object(PLUGIN_MANIFEST_SCHEMA.properties));
const nothing = new Set<string>();

describe("checkManifest", () => {
  it("[PLUG-005] accepts every field of its type", () => {
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
      channelSettings: {},
      channelConfigs: {},
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
      declarativeHooks: {},
    };
    expect(checkManifest(manifest, nothing)).toEqual({ manifest, problems: [] });
    expect(Object.keys(manifest).toSorted()).toEqual(FIELDS.toSorted());
  });

  it.each(FIELDS)("[PLUG-005] rejects a %s of a wrong type", (field) => {
    // No field takes a number.
    const { manifest, problems } = checkManifest({ id: "guard", [field]: 7 }, nothing);
    expect(manifest).toBeUndefined();
    expect(problems).toEqual([
      expect.objectContaining({
        code: "manifest-invalid",
        message: expect.stringMatching(/^at "[^"]+": expected .+, got number 7$/),
      }),
    ]);
  });

  it.each([
    ["a", true],
    ["@acme/guard.v2_x-y", true],
    ["9lives", true],
    [`a${"b".repeat(99)}`, true],
    [`a${"b".repeat(100)}`, false],
    ["", false],
    [".hidden", false],
    ["/root", false],
    ["Guard", false],
    ["two words", false],
    ["guard@1", false],
    ["gärd", false],
    ["guard\n", false],
  ])("[PLUG-005] accepts %j as an ID: %s", (id, accepted) => {
    const { manifest } = checkManifest({ id }, nothing);
    expect(manifest?.id).toBe(accepted ? id : undefined);
  });

  it("[PLUG-006] keeps unknown fields and kinds, and reports them without an error", () => {
    const manifest = { id: "guard", descripton: "x", kind: ["oracle", "memory"], themes: [] };
    expect(checkManifest(manifest, nothing)).toEqual({
      manifest,
      problems: [
        {
          code: "manifest-unknown-field",
          message: expect.stringContaining('at "/descripton"'),
          hint: 'did you mean "description"?',
        },
        {
          code: "manifest-unknown-field",
          message: expect.stringContaining('at "/themes"'),
          hint: expect.any(String),
        },
        {
          code: "manifest-unknown-field",
          message: expect.stringContaining('"oracle" is not a kind'),
          hint: expect.stringContaining("memory, context-engine"),
        },
      ],
    });
  });

  it.each<[string, unknown, string]>([
    ["id", "Upper", "1 to 100 characters"],
    ["id", undefined, "1 to 100 characters"],
    ["id", "", "1 to 100 characters"],
    ["id", "x".repeat(101), "1 to 100 characters"],
    ["id", "-dash", "1 to 100 characters"],
    ["name", 7, "a string, got number 7"],
    ["enabledByDefault", "yes", "true or false, got string"],
    ["entry", 1, "a string or a list of strings, got number 1"],
    ["configSchema", [], "an object, got a list"],
    ["requiresPlugins", {}, "a list of strings or objects"],
    ["contracts", [], "an object of lists of strings"],
    ["commandAliases", "x", "an object or a list"],
    ["isolation", "vm", '"none", "worker" or "process"'],
    ["channels", null, "a list of strings, got null"],
  ])("[PLUG-006] rejects %s as %j", (field, value, expected) => {
    const { manifest, problems } = checkManifest({ id: "guard", [field]: value }, nothing);
    expect(manifest).toBeUndefined();
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({
      code: "manifest-invalid",
      message: expect.stringContaining(`at "/${field}": expected ${expected}`),
    });
  });

  it.each<[string, unknown, string]>([
    ["/entry/1", { entry: ["a", 1] }, "a string, got number 1"],
    ["/requiresPlugins/0/version", { requiresPlugins: [{ id: "a" }] }, "a string, got nothing"],
    ["/contracts/a~1b/0", { contracts: { "a/b": [true] } }, "a string, got boolean true"],
    [
      "/permissions/network/hosts",
      { permissions: { network: { hosts: "x" } } },
      "a list of strings",
    ],
    ["/permissions/tools/0", { permissions: { tools: [{}] } }, "a string, got an object"],
    ["/compat/pluginApi", { compat: { pluginApi: 1 } }, "a string, got number 1"],
  ])("[PLUG-006] reports the place %s within a field", (pointer, fields, expected) => {
    const { problems } = checkManifest({ id: "guard", ...(fields as object) }, nothing);
    expect(problems).toEqual([
      expect.objectContaining({
        message: expect.stringContaining(`at "${pointer}": expected ${expected}`),
      }),
    ]);
  });

  it("truncates long values in messages", () => {
    const { problems } = checkManifest({ id: "x".repeat(9_999) }, nothing);
    expect(problems[0]?.message.length).toBeLessThan(250);
  });

  it("reports accepted fields that have no effect", () => {
    const { problems } = checkManifest(
      {
        id: "guard",
        skills: ["s"],
        mcpServers: { a: {} },
        cliCommands: { b: {} },
        isolation: "worker",
      },
      nothing,
    );
    expect(problems).toEqual([
      expect.objectContaining({
        code: "manifest-not-used",
        message: expect.stringContaining("mcpServers, cliCommands"),
      }),
    ]);
  });

  it("returns a manifest or a problem for any JSON", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const { manifest, problems } = checkManifest(value, nothing);
        const invalid = problems.some(({ code }) => code === "manifest-invalid");
        return invalid === (manifest === undefined);
      }),
    );
  });

  it("treats names of Object.prototype members as unknown fields", () => {
    const value = JSON.parse('{ "id": "guard", "__proto__": { "id": "other" }, "constructor": 1 }');
    const { manifest, problems } = checkManifest(value, nothing);
    expect(manifest?.id).toBe("guard");
    expect(problems.map(({ code }) => code)).toEqual([
      "manifest-unknown-field",
      "manifest-unknown-field",
    ]);
  });
});
