import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { loadConfiguration } from "@openclaw/configuration";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { createPluginRuntime } from "@openclaw/plugin-runtime";
import { describe, expect, it, onTestFinished } from "vitest";
import { hostSkills } from "../../src/host/skills.js";
import { stateFolderAt } from "../../src/state/folder.js";

const logger = { debug() {}, info() {}, warn() {}, error() {} };

/** Returns the skills of a host with these files and this configuration. */
async function skillsOf(files: Record<string, string>, configuration = {}) {
  const folder = temporaryFolder();
  const base = folder.path;
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(base, path)), { recursive: true });
    writeFileSync(join(base, path), text);
  }
  const file = join(base, "openclaw.json");
  writeFileSync(file, JSON.stringify(configuration));
  const loaded = await loadConfiguration(file);
  const plugins = createPluginRuntime({
    config: loaded.value,
    logger,
    bundled: [join(base, "bundled")],
    extraPaths: [join(base, "installed")],
  });
  await plugins.load();
  onTestFinished(() => plugins.dispose());
  const options = {
    configuration: loaded,
    workspaceDir: join(base, "workspace"),
    state: stateFolderAt(join(base, "state")),
    safety: {},
    logger,
  };
  return hostSkills(options, plugins.current);
}

function skill(name: string, description = "Helps.") {
  return `---\nname: ${name}\ndescription: ${description}\n---\nDo it.\n`;
}

function manifest(id: string) {
  return JSON.stringify({ id, entry: "openclaw.plugin.json", skills: ["skills"] });
}

describe("hostSkills", () => {
  it("[EXT-007] finds the skills of plugin manifests, workspace, state folder and configuration", async () => {
    const skills = await skillsOf(
      {
        "bundled/openclaw.plugin.json": manifest("kit"),
        "bundled/skills/of-kit/SKILL.md": skill("of-kit"),
        "bundled/skills/shared/SKILL.md": skill("shared", "Of the plugin."),
        "workspace/skills/of-workspace/SKILL.md": skill("of-workspace"),
        "workspace/skills/shared/SKILL.md": skill("shared", "Of the workspace."),
        "state/skills/of-state/SKILL.md": skill("of-state"),
        "workspace/more/of-config/SKILL.md": skill("of-config"),
      },
      { skills: { folders: ["more"], agents: { work: { hide: ["of-state"] } } } },
    );
    const named = async (agentId: string) =>
      (await skills.offered(agentId)).map(({ name }) => name);
    expect(await named("main")).toEqual([
      "of-config",
      "of-kit",
      "of-state",
      "of-workspace",
      "shared",
    ]);
    expect(await named("work")).not.toContain("of-state");
    expect(skills.problems()).toMatchObject([{ code: "SKILL_SHADOWED" }]);
  });

  it("[EXT-009] trusts only the skills of bundled plugins, the state folder and the configuration", async () => {
    const files = Object.fromEntries(
      ["bundled", "installed", "workspace", "state", "workspace/more"].map((place) => {
        const name = `of-${place.split("/").at(-1)}`;
        return [`${place}/skills/${name}/SKILL.md`, skill(name)];
      }),
    );
    const skills = await skillsOf(
      {
        ...files,
        "bundled/openclaw.plugin.json": manifest("kit"),
        "installed/openclaw.plugin.json": manifest("added"),
      },
      { skills: { folders: ["more/skills"] } },
    );
    const trust = (await skills.offered("main")).map(({ name, origin }) => [name, origin.trusted]);
    expect(Object.fromEntries(trust)).toEqual({
      "of-bundled": true,
      "of-installed": false,
      "of-workspace": false,
      "of-state": true,
      "of-more": true,
    });
  });
});
