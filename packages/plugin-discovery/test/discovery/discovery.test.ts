import { chown, mkdir, mkdtemp, realpath, rm, stat, symlink, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { PluginsConfiguration } from "../../src/index.js";
import { describePlan, type PlanSources, planPlugins } from "../../src/index.js";

let root: string;

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "plugin-discover-")));
});

afterEach(async () => {
  await rm(root, { recursive: true });
});

/** Writes files below the test's folder. */
async function write(files: Record<string, string | object>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    const file = join(root, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, typeof content === "string" ? content : JSON.stringify(content));
  }
}

async function discover(options: Partial<PlanSources>, plugins: PluginsConfiguration = {}) {
  const paths = plugins.load?.paths ?? [];
  const plan = await planPlugins({ plugins, paths, inline: [], reservedNames: [], ...options });
  const { plugins: found, diagnostics } = await describePlan(plan);
  return {
    found: found.map(({ id, origin, rootDir }) => ({ id, origin, at: relative(root, rootDir) })),
    plugins: found,
    diagnostics,
    codes: diagnostics.map(({ code }) => code),
  };
}

describe("plugin discovery", () => {
  it("[PLUG-001] searches bundled, workspace, global and named locations in this order", async () => {
    await write({
      "named/openclaw.plugin.json": { id: "d-named" },
      "single/alone.mjs": "",
      "state/extensions/c/openclaw.plugin.json": { id: "c-global" },
      "space/.openclaw/extensions/b/openclaw.plugin.json": { id: "b-workspace" },
      "shipped/package.json": { name: "@acme/a", openclaw: { id: "a-bundled" } },
      "extra/openclaw.plugin.json": { id: "e-extra" },
    });
    const enabled = { "b-workspace": { enabled: true } };
    const { found, plugins, diagnostics } = await discover(
      {
        bundled: [join(root, "shipped")],
        workspaceDir: join(root, "space"),
        stateDir: join(root, "state"),
        extraPaths: [join(root, "extra")],
      },
      { entries: enabled, load: { paths: [join(root, "named"), join(root, "single/alone.mjs")] } },
    );
    expect(found).toEqual([
      { id: "a-bundled", origin: "bundled", at: "shipped" },
      { id: "b-workspace", origin: "workspace", at: "space/.openclaw/extensions/b" },
      { id: "c-global", origin: "global", at: "state/extensions/c" },
      { id: "d-named", origin: "config", at: "named" },
      { id: "alone", origin: "config", at: "single" },
      { id: "e-extra", origin: "config", at: "extra" },
    ]);
    expect(plugins[0]).toMatchObject({
      source: join(root, "shipped/package.json"),
      manifestPath: join(root, "shipped/package.json"),
      packageName: "@acme/a",
    });
    expect(plugins[3]).toMatchObject({
      source: join(root, "named/openclaw.plugin.json"),
      manifestPath: join(root, "named/openclaw.plugin.json"),
    });
    expect(plugins[4]).toMatchObject({ source: join(root, "single/alone.mjs") });
    expect(diagnostics.map(({ code }) => code)).toEqual(["manifest-derived"]);
  });

  it("finds nothing and reports nothing when no folder exists", async () => {
    const nowhere = { workspaceDir: join(root, "no"), stateDir: join(root, "where") };
    expect(await discover(nowhere)).toMatchObject({ found: [], diagnostics: [] });
  });

  it("searches the folders of a scope, but not hidden ones or node_modules", async () => {
    await write({
      "state/extensions/@acme/guard/openclaw.plugin.json": { id: "@acme/guard" },
      "state/extensions/.hidden/openclaw.plugin.json": { id: "hidden" },
      "state/extensions/node_modules/x/openclaw.plugin.json": { id: "x" },
      "state/extensions/plain/openclaw.plugin.json": { id: "plain" },
      "state/extensions/README.md": "not a plugin",
    });
    const { found, diagnostics } = await discover({ stateDir: join(root, "state") });
    expect(found.map(({ id }) => id)).toEqual(["@acme/guard", "plain"]);
    expect(diagnostics).toEqual([]);
  });

  it("reports folders and code files that cannot be loaded without a manifest", async () => {
    await write({
      "state/extensions/lost/index.js": "",
      "state/extensions/loose.ts": "",
      "state/extensions/types.d.ts": "",
    });
    const { found, diagnostics } = await discover({ stateDir: join(root, "state") });
    expect(found).toEqual([]);
    expect(diagnostics.map(({ code, source }) => [code, source])).toEqual([
      ["manifest-missing", join(root, "state/extensions/loose.ts")],
      ["manifest-missing", join(root, "state/extensions/lost")],
    ]);
  });

  it("[PLUG-002] keeps the first of two plugins with the same ID, unless the later one was enabled by path or entry", async () => {
    await write({
      "shipped/openclaw.plugin.json": { id: "guard" },
      "state/extensions/guard/openclaw.plugin.json": { id: "guard" },
      "named/openclaw.plugin.json": { id: "guard" },
    });
    const bundled = [join(root, "shipped")];
    const stateDir = join(root, "state");
    const entries = { guard: { enabled: true } };
    const load = { paths: [join(root, "named")] };
    const ways: [PluginsConfiguration, string, string[]][] = [
      [{}, "shipped", ["state/extensions/guard"]],
      [{ entries }, "state/extensions/guard", ["shipped"]],
      [{ load }, "named", ["state/extensions/guard", "shipped"]],
      [{ load, entries }, "named", ["shipped", "state/extensions/guard"]],
    ];
    for (const [config, used, unused] of ways) {
      const { found, plugins, diagnostics } = await discover({ bundled, stateDir }, config);
      expect(found[0]?.at).toBe(used);
      expect(plugins.slice(1)).toEqual(
        plugins.slice(1).map((plugin) => ({ ...plugin, enabled: false, reason: "duplicate" })),
      );
      expect(found.slice(1).map(({ at }) => at)).toEqual(unused);
      expect(diagnostics).toHaveLength(unused.length);
      for (const [index, at] of unused.entries()) {
        expect(diagnostics[index]).toMatchObject({ code: "duplicate-id", pluginId: "guard" });
        expect(diagnostics[index]?.message).toContain(`${join(root, used)} is used`);
        expect(diagnostics[index]?.message).toContain(`${join(root, at)} is not`);
      }
    }
  });

  it.each([{ trustedToolPolicies: ["commands"] }, { hooks: ["llm_output", "before_tool_call"] }])(
    "keeps a bundled guard (%j) unless the operator allows its replacement",
    async (contracts) => {
      await write({
        "shipped/openclaw.plugin.json": { id: "guard", contracts },
        "state/extensions/guard/openclaw.plugin.json": { id: "guard" },
        "named/openclaw.plugin.json": { id: "guard" },
      });
      const sources = { bundled: [join(root, "shipped")], stateDir: join(root, "state") };
      const load = { paths: [join(root, "named")] };
      const used = async (config: PluginsConfiguration) => {
        const { found, diagnostics } = await discover(sources, config);
        return { at: found[0]?.at, hint: diagnostics[0]?.hint };
      };
      const hint = expect.stringMatching(/plugins\.entries\.guard: .*replaceBundled: true/);
      const enabled = { guard: { enabled: true } };
      expect(await used({ entries: enabled })).toEqual({ at: "shipped", hint });
      expect(await used({ load, entries: enabled })).toEqual({ at: "shipped", hint });
      const replaced = { guard: { enabled: true, replaceBundled: true } };
      expect((await used({ entries: replaced })).at).toBe("state/extensions/guard");
      expect((await used({ load, entries: replaced })).at).toBe("named");
    },
  );

  it("[PLUG-002] counts a location once, regardless of the path to it, and keeps the operator's setting for it", async () => {
    await write({
      "space/.openclaw/extensions/guard/openclaw.plugin.json": {
        id: "guard",
        enabledByDefault: false,
      },
    });
    const place = join(root, "space/.openclaw/extensions/guard");
    await symlink(place, join(root, "link"));
    const { plugins, codes } = await discover({
      workspaceDir: join(root, "space"),
      extraPaths: [join(root, "link")],
    });
    expect(plugins).toMatchObject([
      { id: "guard", origin: "workspace", rootDir: place, enabled: true },
    ]);
    expect(codes).toEqual([]);
  });

  it("follows a link to a plugin folder", async () => {
    await write({ "elsewhere/guard/openclaw.plugin.json": { id: "guard" } });
    await mkdir(join(root, "state/extensions"), { recursive: true });
    await symlink(join(root, "elsewhere/guard"), join(root, "state/extensions/guard"));
    await symlink(join(root, "gone"), join(root, "state/extensions/dangling"));
    const { found } = await discover({ stateDir: join(root, "state") });
    expect(found).toEqual([{ id: "guard", origin: "global", at: "elsewhere/guard" }]);
  });

  it("[PLUG-002] treats a workspace that shares its plugins with the host as global", async () => {
    await write({ "home/.openclaw/extensions/guard/openclaw.plugin.json": { id: "guard" } });
    const { found } = await discover({
      workspaceDir: join(root, "home"),
      stateDir: join(root, "home/.openclaw"),
    });
    expect(found).toEqual([
      { id: "guard", origin: "global", at: "home/.openclaw/extensions/guard" },
    ]);
  });

  it("resolves paths from the home folder and from the current folder", async () => {
    const { diagnostics } = await discover(
      {},
      { load: { paths: ["~/no-such-plugin-here", "no-such-plugin-here"] } },
    );
    expect(diagnostics.map(({ code, source }) => [code, source])).toEqual([
      ["path-missing", join(homedir(), "no-such-plugin-here")],
      ["path-missing", join(process.cwd(), "no-such-plugin-here")],
    ]);
  });

  it("rejects a named file that is not a code file", async () => {
    await write({ "notes.md": "# Notes" });
    const { plugins } = await discover({ extraPaths: [join(root, "notes.md")] });
    expect(plugins).toMatchObject([
      { id: "notes", enabled: false, error: { code: "entry-missing" } },
    ]);
  });

  it("reports a missing bundled package", async () => {
    const { diagnostics } = await discover({ bundled: [join(root, "gone")] });
    expect(diagnostics).toMatchObject([
      { code: "path-missing", hint: "install the package again" },
    ]);
  });

  it.runIf(process.getuid?.() === 0)(
    "[PLUG-009] warns the superuser of a folder owned by another user, unless it is bundled",
    async () => {
      await write({
        "state/extensions/foreign/openclaw.plugin.json": { id: "foreign" },
        "shipped/openclaw.plugin.json": { id: "shipped" },
      });
      await chown(join(root, "state/extensions/foreign"), 12_345, 12_345);
      await chown(join(root, "shipped"), 12_345, 12_345);
      const { plugins, diagnostics } = await discover({
        stateDir: join(root, "state"),
        bundled: [join(root, "shipped")],
      });
      expect(plugins.every(({ enabled }) => enabled)).toBe(true);
      expect(diagnostics).toMatchObject([
        { level: "warn", code: "folder-owner", pluginId: "foreign" },
      ]);
    },
  );

  it.runIf(process.getuid?.() === 0)(
    "[PLUG-009] rejects a folder owned by another user, or warns when the folder is a separate mount",
    async () => {
      await write({
        "state/extensions/foreign/openclaw.plugin.json": { id: "foreign" },
        "state/extensions/own/openclaw.plugin.json": { id: "own" },
      });
      await chown(join(root, "state/extensions/foreign"), 12_345, 12_345);
      await chown(join(root, "state/extensions/own"), 54_321, 54_321);
      using _user = vi.spyOn(process, "getuid").mockReturnValue(54_321);
      const { plugins, diagnostics } = await discover({ stateDir: join(root, "state") });
      const onOwnMount = (await stat(root)).dev !== (await stat("/")).dev;
      expect(diagnostics).toMatchObject([
        {
          level: onOwnMount ? "warn" : "error",
          code: "folder-owner",
          pluginId: "foreign",
          message: expect.stringContaining(
            "belongs to user 12345, but the host runs as user 54321",
          ),
          hint: expect.stringContaining("chown"),
        },
      ]);
      const enabled = new Map(plugins.map((plugin) => [plugin.id, plugin.enabled]));
      expect(enabled.get("own")).toBe(true);
      expect(enabled.get("foreign")).toBe(onOwnMount);
    },
  );

  it("[PLUG-014] warns of entries for unknown plugins, with the nearest ID", async () => {
    await write({ "state/extensions/guard/openclaw.plugin.json": { id: "guard" } });
    const { diagnostics } = await discover(
      { stateDir: join(root, "state") },
      { entries: { gaurd: { enabled: true }, "something-else": {} } },
    );
    expect(diagnostics).toMatchObject([
      { level: "warn", code: "config-unknown-id", hint: 'did you mean "guard"?' },
      {
        level: "warn",
        code: "config-unknown-id",
        message: expect.stringContaining("plugins.entries.something-else"),
        hint: expect.stringContaining('install "something-else"'),
      },
    ]);
  });

  it("reports settings that are out of range or have no effect", async () => {
    await write({ "state/extensions/guard/openclaw.plugin.json": { id: "guard" } });
    const { diagnostics } = await discover(
      { stateDir: join(root, "state") },
      {
        entries: {
          guard: {
            registerTimeoutMs: 0,
            env: { A: "1" },
            hooks: { timeouts: { before_tool_call: 1, before_tool_cal: 1 } },
          },
        },
      },
    );
    expect(diagnostics.map(({ level, code, message }) => [level, code, message])).toEqual([
      ["info", "config-not-used", expect.stringContaining("plugins.entries.guard.env")],
      ["warn", "unknown-hook", expect.stringContaining("hooks.timeouts.before_tool_cal sets")],
      ["error", "config-invalid", expect.stringContaining("from 1 to 600000 (ms), got 0")],
    ]);
  });
});
