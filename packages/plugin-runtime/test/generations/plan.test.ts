import type { DisabledReason, PluginsConfiguration } from "@openclaw/plugin-discovery";
import type { PluginManifest } from "@openclaw/plugin-sdk/manifest";
import { describe, expect, it } from "vitest";
import { createFileHost } from "../support/file-host.js";

/** Plans the load of plugins with these manifests. */
async function overview(
  manifests: readonly PluginManifest[],
  config: PluginsConfiguration = {},
  hostVersion = "0.4.0",
) {
  const plugins = manifests.map((manifest) => ({ ...manifest, register: () => {} }));
  const { runtime } = createFileHost(plugins, config, { hostVersion });
  const { plugins: found, diagnostics } = await runtime.discover();
  return {
    states: Object.fromEntries(
      found.map((plugin) => [plugin.id, plugin.enabled || ("reason" in plugin && plugin.reason)]),
    ),
    found,
    diagnostics,
  };
}

describe("plugin slot", () => {
  const memories = [
    { id: "memory", kind: "memory" },
    { id: "other", kind: ["memory"], enabledByDefault: false },
  ];

  it.each<[string, string | undefined, string | false]>([
    ["nothing", undefined, "memory"],
    ["the bundled plugin's older name", "memory-core", "memory"],
    ["another plugin", "other", "other"],
    ["none", "none", false],
  ])("[PLUG-011] holds one memory plugin when it names %s", async (_what, memory, active) => {
    const slots = memory === undefined ? {} : { memory };
    const { states, diagnostics } = await overview(memories, { slots });
    for (const { id } of memories) expect(states[id]).toBe(id === active ? true : "slot-taken");
    const losers = memories.filter(({ id }) => id !== active);
    expect(diagnostics).toEqual(
      losers.map(({ id }) =>
        expect.objectContaining({
          code: "slot-taken",
          pluginId: id,
          hint: `plugins.slots.memory: "${id}"`,
        }),
      ),
    );
  });

  it("[PLUG-011] has no default occupant for the context engine", async () => {
    const engines = ["long", "short"].map((id) => ({ id, kind: "context-engine" }));
    expect((await overview(engines)).states).toEqual({ long: "slot-taken", short: "slot-taken" });
    const { states, diagnostics } = await overview(engines, { slots: { contextEngine: "short" } });
    expect(states).toEqual({ short: true, long: "slot-taken" });
    expect(diagnostics).toMatchObject([{ hint: 'plugins.slots.contextEngine: "long"' }]);
  });

  it("[PLUG-012] enables its plugin, unless it is denied or disabled", async () => {
    const slots = { memory: "other" };
    expect((await overview(memories, { slots })).states.other).toBe(true);
    expect((await overview(memories, { slots, deny: ["other"] })).states.other).toBe("denied");
    const entries = { other: { enabled: false } };
    expect((await overview(memories, { slots, entries })).states.other).toBe("entry-disabled");
    expect((await overview(memories, { slots, enabled: false })).states.other).toBe(
      "plugins-disabled",
    );
  });

  it("[PLUG-012] stays empty with an error when it names an unknown plugin", async () => {
    const { states, diagnostics } = await overview(memories, { slots: { memory: "othr" } });
    expect(states).toEqual({ memory: "slot-taken", other: "slot-taken" });
    expect(diagnostics.filter(({ level }) => level === "error")).toMatchObject([
      {
        code: "slot-unknown",
        message: expect.stringContaining('plugins.slots.memory names "othr"'),
        hint: 'did you mean "other"?',
      },
    ]);
  });

  it("[PLUG-012] stays empty with an error when it names a plugin of another kind", async () => {
    const folders = [...memories, { id: "plain" }];
    const { diagnostics } = await overview(folders, { slots: { memory: "plain" } });
    expect(diagnostics.filter(({ level }) => level === "error")).toMatchObject([
      { code: "slot-unknown", message: expect.stringContaining("is not of kind memory") },
    ]);
  });
});

describe("manifest requirements", () => {
  it.each<[string, PluginManifest["compat"], string]>([
    ["another version of the API", { pluginApi: "^2" }, "plugin API ^2, and this host is 1.0.0"],
    ["a newer host", { minGatewayVersion: "0.5.0" }, "host 0.5.0, and this host is 0.4.0"],
    [
      "a vintage that is not served",
      { pluginApi: ">=2026.10" },
      "plugin API >=2026.10, and this host is 2026.2.0, 2026.5.0, 2026.9.0",
    ],
  ])(
    "[PLUG-013] keep a plugin disabled that requires %s, naming both versions",
    async (_what, compat, message) => {
      const asking = { id: "asking", ...(compat === undefined ? {} : { compat }) };
      const { states, diagnostics } = await overview([asking]);
      expect(states).toEqual({ asking: "version-conflict" });
      expect(diagnostics).toMatchObject([
        {
          level: "error",
          code: "version-conflict",
          message: expect.stringContaining(message),
          hint: expect.stringContaining("plugins.entries.asking.ignoreCompat"),
        },
      ]);
      const entries = { asking: { ignoreCompat: true } };
      const overruled = await overview([asking], { entries });
      expect(overruled.states).toEqual({ asking: true });
      expect(overruled.diagnostics).toMatchObject([{ level: "warn", code: "version-conflict" }]);
    },
  );

  it.each<[PluginManifest["compat"]]>([
    [{ pluginApi: "1" }],
    [{ pluginApi: ">=1 <2", minGatewayVersion: "0.4.0" }],
    [{ pluginApi: ">=2026.5.7 <2026.9" }],
    [{ minGatewayVersion: "2026.9.14" }],
    [{}],
  ])("[PLUG-013] let a plugin load that requires %j", async (compat) => {
    const asking = { id: "asking", ...(compat === undefined ? {} : { compat }) };
    expect(await overview([asking])).toMatchObject({ states: { asking: true }, diagnostics: [] });
  });

  it("[PLUG-013] only warn of an unreadable range", async () => {
    const { states, diagnostics } = await overview([
      { id: "asking", compat: { pluginApi: "soon" } },
    ]);
    expect(states).toEqual({ asking: true });
    expect(diagnostics).toMatchObject([
      { level: "warn", message: expect.stringContaining('"soon", which is not a version range') },
    ]);
  });

  it("[PLUG-013] keep a plugin disabled that requires a missing plugin, another version, or itself indirectly", async () => {
    const { states, diagnostics } = await overview([
      { id: "base", version: "1.2.0" },
      { id: "fits", requiresPlugins: [{ id: "base", version: "^1" }, "above"] },
      { id: "above", requiresPlugins: ["base"] },
      { id: "lonely", requiresPlugins: ["absent"] },
      { id: "newer", requiresPlugins: [{ id: "base", version: ">=2" }] },
      { id: "one", requiresPlugins: ["two"] },
      { id: "two", requiresPlugins: ["one"] },
    ]);
    expect(states).toEqual({
      base: true,
      above: true,
      fits: true,
      lonely: "version-conflict",
      newer: "version-conflict",
      one: "version-conflict",
      two: "version-conflict",
    });
    expect(diagnostics.map(({ pluginId, message }) => [pluginId, message])).toEqual([
      ["lonely", expect.stringContaining('it requires "absent", which is not installed or is off')],
      ["newer", expect.stringContaining('requires "base" >=2, and version 1.2.0 is installed')],
      ["one", expect.stringContaining("requires it in turn")],
      ["two", expect.stringContaining("requires it in turn")],
    ]);
  });
});

describe("disabled plugin", () => {
  const guard = { id: "guard" };
  const WAYS: Record<
    Exclude<DisabledReason, "workspace-default" | "duplicate">,
    [PluginManifest, PluginsConfiguration, string]
  > = {
    "plugins-disabled": [guard, { enabled: false }, "plugins.enabled: true"],
    denied: [guard, { deny: ["guard"] }, 'remove "guard" from plugins.deny'],
    "entry-disabled": [
      guard,
      { entries: { guard: { enabled: false } } },
      "plugins.entries.guard.enabled: true",
    ],
    "not-allowed": [guard, { allow: ["other"] }, 'add "guard" to plugins.allow'],
    "slot-taken": [{ id: "guard", kind: "memory" }, {}, 'plugins.slots.memory: "guard"'],
    "version-conflict": [
      { id: "guard", compat: { pluginApi: "9" } },
      {},
      "plugins.entries.guard.ignoreCompat: true",
    ],
    "default-off": [
      { id: "guard", enabledByDefault: false },
      {},
      "plugins.entries.guard.enabled: true",
    ],
  };

  it.each(Object.entries(WAYS))(
    "[PLUG-015] with the reason %s has a record with the reason and the line that would change it",
    async (reason, [manifest, config, line]) => {
      const { runtime } = createFileHost([{ ...manifest, register: () => {} }], config);
      const { plugins } = await runtime.discover();
      expect(plugins).toMatchObject([{ id: "guard", enabled: false, reason }]);
      const [found] = plugins;
      expect(found !== undefined && "hint" in found && found.hint).toContain(line);
      const generation = await runtime.load();
      expect(generation.plugins).toMatchObject([
        { id: "guard", enabled: false, status: "disabled", reason },
      ]);
    },
  );

  it("[PLUG-015] with a duplicate ID has a record with the reason", async () => {
    const own = createFileHost([{ id: "guard", register: () => {} }]);
    const again = createFileHost(
      [{ id: "guard", register: () => {} }],
      {},
      { bundled: [own.folder("guard")] },
    );
    expect((await again.runtime.load()).plugins).toMatchObject([
      { id: "guard", origin: "bundled", status: "loaded" },
      {
        id: "guard",
        origin: "global",
        reason: "duplicate",
        hint: expect.stringContaining("plugins.entries.guard.enabled: true"),
      },
    ]);
  });

  it("[PLUG-015] with the ID of a bundled guard names the setting that replaces it", async () => {
    const register = () => {};
    const guard = { id: "guard", register, contracts: { hooks: ["before_tool_call"] } };
    const own = createFileHost([guard]);
    const bundled = [own.folder("guard")];
    const again = createFileHost([guard], {}, { bundled });
    const line = "plugins.entries.guard: { enabled: true, replaceBundled: true }";
    expect((await again.runtime.load()).plugins).toMatchObject([
      { origin: "bundled", status: "loaded" },
      { origin: "global", status: "disabled", hint: line },
    ]);
    const config = { entries: { guard: { enabled: true, replaceBundled: true } } };
    const replacing = createFileHost([guard], config, { bundled });
    expect((await replacing.runtime.load()).plugins).toMatchObject([
      { origin: "global", status: "loaded" },
      { origin: "bundled", reason: "duplicate" },
    ]);
  });
});
