import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { ReleaseWorkspace } from "../../src/repository/release-workspace.js";

const root = fileURLToPath(new URL("../../../..", import.meta.url));

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly publishConfig?: { readonly access?: string };
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

const manifests: Manifest[] = globSync("{packages,extensions,apps}/*/package.json", {
  cwd: root,
}).map((file) => readJson<Manifest>(root, file));

describe("package versions", () => {
  it("[SDK-025] are set by changesets per package, in caret ranges", () => {
    expect(readJson<object>(root, ".changeset/config.json")).toMatchObject({
      fixed: [],
      linked: [],
      access: "public",
    });
    const ours = new Set(manifests.map(({ name }) => name));
    for (const manifest of manifests) {
      if (manifest.private !== true) {
        expect(manifest.publishConfig?.access, manifest.name).toBe("public");
      }
      for (const field of ["dependencies", "devDependencies", "peerDependencies"] as const) {
        for (const [name, range] of Object.entries(manifest[field] ?? {})) {
          if (ours.has(name)) expect(range, `${manifest.name} needs ${name}`).toBe("workspace:^");
        }
      }
    }
  });

  it("[SDK-025] change with a package, and when the range of a dependency no longer covers it", () => {
    using workspace = new ReleaseWorkspace({
      base: { version: "0.4.0" },
      dependent: { version: "1.2.0", dependencies: { base: "workspace:^" } },
      stranger: { version: "3.0.0" },
    });
    expect(release(workspace, { base: "patch" })).toEqual({
      base: "0.4.1",
      dependent: "1.2.0",
      stranger: "3.0.0",
    });
    // Below 1.0 a caret stays within one minor.
    expect(release(workspace, { base: "minor" })).toEqual({
      base: "0.5.0",
      dependent: "1.2.1",
      stranger: "3.0.0",
    });
    expect(release(workspace, { stranger: "major" })).toEqual({
      base: "0.5.0",
      dependent: "1.2.1",
      stranger: "4.0.0",
    });
  });

  it("[SDK-025] of template dependencies release create-openclaw-plugin as well", () => {
    const templates = "packages/create-openclaw-plugin/templates/versions.json";
    using workspace = new ReleaseWorkspace({
      "create-openclaw-plugin": { version: "0.3.1" },
      kit: { version: "1.4.0" },
    });
    workspace.write({ [templates]: '{\n  "kit": "1.4.0"\n}\n' });
    expect(releaseScripted(workspace, { kit: "patch" })).toEqual({
      "create-openclaw-plugin": "0.3.2",
      kit: "1.4.1",
    });
    expect(JSON.parse(workspace.read(templates))).toEqual({ kit: "1.4.1" });
    expect(workspace.read("packages/create-openclaw-plugin/CHANGELOG.md")).toBe(
      "# create-openclaw-plugin\n\n## 0.3.2\n\nNew plugins start with version 1.4.1 of kit.\n",
    );
    expect(workspace.read("docs/project/versioning.md")).toContain(
      "| `create-openclaw-plugin` | 0.3.2 |",
    );

    const both = { "create-openclaw-plugin": "minor", kit: "minor" } as const;
    expect(releaseScripted(workspace, both)).toEqual({
      "create-openclaw-plugin": "0.4.0",
      kit: "1.5.0",
    });
  });

  it("[SDK-025] of bundled packages release the host as well", () => {
    using workspace = new ReleaseWorkspace({
      openclaw: {
        version: "0.3.1",
        dependencies: { sdk: "workspace:^" },
        devDependencies: { host: "workspace:^" },
      },
      host: { version: "1.4.0", dependencies: { deep: "workspace:^", sdk: "workspace:^" } },
      deep: { version: "0.4.0" },
      sdk: { version: "2.0.0" },
    });
    expect(releaseScripted(workspace, { deep: "patch" })).toEqual({
      openclaw: "0.3.2",
      host: "1.4.0",
      deep: "0.4.1",
      sdk: "2.0.0",
    });
    expect(workspace.read("packages/openclaw/CHANGELOG.md")).toBe(
      "# openclaw\n\n## 0.3.2\n\nBundles version 0.4.1 of deep.\n",
    );
    expect(releaseScripted(workspace, { sdk: "patch" })).toMatchObject({
      openclaw: "0.3.2",
      sdk: "2.0.1",
    });
  });

  it("[SDK-025] tested together are listed in a table of the documentation", () => {
    const page = readFileSync(join(root, "docs/project/versioning.md"), "utf8");
    const published = manifests.filter((manifest) => manifest.private !== true);
    for (const { name, version, dependencies = {} } of published) {
      const row = page.split("\n").find((line) => line.startsWith(`| \`${name}\` | ${version} |`));
      expect(row, name).toBeDefined();
      for (const dependency of manifests.filter((one) => one.name in dependencies)) {
        const shortName = dependency.name.replace("@openclaw/", "");
        expect(row, name).toContain(`${shortName} ^${dependency.version}`);
      }
    }
  });

  it("are the same in every file", () => {
    execFileSync(process.execPath, ["scripts/sync-versions.mjs", "--check"], { cwd: root });
  });

  it("[SDK-025] are published with an attestation when machine and registry support it", () => {
    const github = { ACTIONS_ID_TOKEN_REQUEST_URL: "https://token.example" };
    expect(wayToPublish({})).toMatchObject({ provenance: false });
    expect(wayToPublish(github)).toEqual({
      registry: "https://registry.npmjs.org/",
      provenance: true,
      scope: "@openclaw",
    });
    const elsewhere = { npm_config_registry: "http://127.0.0.1:4873/" };
    expect(wayToPublish({ ...github, ...elsewhere })).toMatchObject({ provenance: false });
  });
});

type Changes = Readonly<Record<string, "major" | "minor" | "patch">>;

/** Describes changes, turns them into versions with changesets alone, and returns those of every package. */
function release(workspace: ReleaseWorkspace, changes: Changes): Record<string, string> {
  describeChanges(workspace, changes);
  workspace.runChangesets();
  return workspace.versions();
}

/** The same with the script of this repository. */
function releaseScripted(workspace: ReleaseWorkspace, changes: Changes): Record<string, string> {
  describeChanges(workspace, changes);
  expect(workspace.runVersion()).toMatchObject({ status: 0 });
  return workspace.versions();
}

function describeChanges(workspace: ReleaseWorkspace, changes: Changes): void {
  const bumps = Object.entries(changes).map(([name, bump]) => `"${name}": ${bump}\n`);
  workspace.write({ ".changeset/change.md": `---\n${bumps.join("")}---\n\nembed: It changed.\n` });
}

function wayToPublish(environment: Readonly<Record<string, string>>): unknown {
  const args = ["scripts/publish.mjs", "--print"];
  const env = { PATH: process.env.PATH, ...environment };
  return JSON.parse(execFileSync(process.execPath, args, { cwd: root, env, encoding: "utf8" }));
}

function readJson<Content>(folder: string, file: string): Content {
  return JSON.parse(readFileSync(join(folder, file), "utf8")) as Content;
}
