import { execFileSync } from "node:child_process";
import { copyFileSync, globSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type TemporaryFolder, temporaryFolder } from "@openclaw/foundation/testing";
import { describe, expect, it } from "vitest";

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
    using workspace = workspaceOf({
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
    using workspace = workspaceOf({
      "create-openclaw-plugin": { version: "0.3.1" },
      kit: { version: "1.4.0" },
    });
    addScripts(workspace);
    workspace.write({
      ".gitignore": "node_modules\n",
      [templates]: '{\n  "kit": "1.4.0"\n}\n',
      "docs/versioning.md": "<!-- versions -->\n<!-- /versions -->\n",
    });
    expect(release(workspace, { kit: "patch" }, scriptedIn(workspace))).toEqual({
      "create-openclaw-plugin": "0.3.2",
      kit: "1.4.1",
    });
    expect(readJson<object>(workspace.path, templates)).toEqual({ kit: "1.4.1" });
    const read = (file: string) => readFileSync(join(workspace.path, file), "utf8");
    expect(read("packages/create-openclaw-plugin/CHANGELOG.md")).toBe(
      "# create-openclaw-plugin\n\n## 0.3.2\n\n### Patch Changes\n\n- New plugins start with\n  - kit@1.4.1\n",
    );
    expect(read("docs/versioning.md")).toContain("| `create-openclaw-plugin` | 0.3.2 |");

    const both = { "create-openclaw-plugin": "minor", kit: "minor" } as const;
    expect(release(workspace, both, scriptedIn(workspace))).toEqual({
      "create-openclaw-plugin": "0.4.0",
      kit: "1.5.0",
    });
  });

  it("[SDK-025] of bundled packages release the host as well", () => {
    using workspace = workspaceOf({
      openclaw: {
        version: "0.3.1",
        dependencies: { sdk: "workspace:^" },
        devDependencies: { host: "workspace:^" },
      },
      host: { version: "1.4.0", dependencies: { deep: "workspace:^", sdk: "workspace:^" } },
      deep: { version: "0.4.0" },
      sdk: { version: "2.0.0" },
    });
    addScripts(workspace);
    workspace.write({
      ".gitignore": "node_modules\n",
      "packages/create-openclaw-plugin/templates/versions.json": "{}\n",
      "docs/versioning.md": "<!-- versions -->\n<!-- /versions -->\n",
    });
    expect(release(workspace, { deep: "patch" }, scriptedIn(workspace))).toEqual({
      openclaw: "0.3.2",
      host: "1.4.0",
      deep: "0.4.1",
      sdk: "2.0.0",
    });
    expect(readFileSync(join(workspace.path, "packages/openclaw/CHANGELOG.md"), "utf8")).toBe(
      "# openclaw\n\n## 0.3.2\n\n### Patch Changes\n\n- Bundles\n  - deep@0.4.1\n",
    );
    expect(release(workspace, { sdk: "patch" }, scriptedIn(workspace))).toMatchObject({
      openclaw: "0.3.2",
      sdk: "2.0.1",
    });
  });

  it("[SDK-025] tested together are listed in a table of the documentation", () => {
    const page = readFileSync(join(root, "docs/versioning.md"), "utf8");
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
    });
    const elsewhere = { npm_config_registry: "http://127.0.0.1:4873/" };
    expect(wayToPublish({ ...github, ...elsewhere })).toMatchObject({ provenance: false });
  });
});

/** Adds the house's own scripts for versions to a workspace. */
function addScripts(workspace: TemporaryFolder): void {
  mkdirSync(join(workspace.path, "scripts"));
  for (const script of ["version.mjs", "sync-versions.mjs"]) {
    copyFileSync(join(root, "scripts", script), join(workspace.path, "scripts", script));
  }
  mkdirSync(join(workspace.path, "node_modules/@changesets"), { recursive: true });
  const cli = "node_modules/@changesets/cli";
  symlinkSync(join(root, cli), join(workspace.path, cli));
}

function scriptedIn(workspace: TemporaryFolder): string {
  return join(workspace.path, "scripts/version.mjs");
}

/** A workspace with the house's own rules for versions. */
function workspaceOf(packages: Readonly<Record<string, object>>): TemporaryFolder {
  const folder = temporaryFolder("versions");
  const files = Object.entries(packages).map(([name, manifest]) => [
    `packages/${name}/package.json`,
    JSON.stringify({ name, ...manifest }, null, 2),
  ]);
  folder.write({
    "package.json": JSON.stringify({ name: "workspace", private: true }),
    "pnpm-workspace.yaml": "packages: [packages/*]\n",
    "pnpm-lock.yaml": "lockfileVersion: '9.0'\n",
    ...Object.fromEntries(files),
  });
  mkdirSync(join(folder.path, ".changeset"));
  copyFileSync(join(root, ".changeset/config.json"), join(folder.path, ".changeset/config.json"));
  git(folder, "init", "--quiet", "--initial-branch=main");
  return folder;
}

/** Describes changes, turns them into versions, by a script if given, and tells those of every package. */
function release(
  folder: TemporaryFolder,
  changes: Readonly<Record<string, "major" | "minor" | "patch">>,
  script?: string,
): Record<string, string> {
  const bumps = Object.entries(changes).map(([name, bump]) => `"${name}": ${bump}\n`);
  folder.write({ ".changeset/change.md": `---\n${bumps.join("")}---\n\nWhat changed.\n` });
  git(folder, "add", "--all");
  git(folder, "commit", "--quiet", "--message=a change");
  const changeset = [join(root, "node_modules/@changesets/cli/bin.js"), "version"];
  const command = script === undefined ? changeset : [script];
  execFileSync(process.execPath, command, { cwd: folder.path, stdio: "pipe" });
  const files = globSync("packages/*/package.json", { cwd: folder.path }).sort();
  const versions = files.map((file) => readJson<Manifest>(folder.path, file));
  return Object.fromEntries(versions.map(({ name, version }) => [name, version]));
}

function git(folder: TemporaryFolder, ...args: string[]): void {
  const identity = ["-c", "user.name=test", "-c", "user.email=test@localhost"];
  execFileSync("git", [...identity, ...args], { cwd: folder.path, stdio: "pipe" });
}

function wayToPublish(environment: Readonly<Record<string, string>>): unknown {
  const args = ["scripts/publish.mjs", "--print"];
  const env = { PATH: process.env.PATH, ...environment };
  return JSON.parse(execFileSync(process.execPath, args, { cwd: root, env, encoding: "utf8" }));
}

function readJson<Content>(folder: string, file: string): Content {
  return JSON.parse(readFileSync(join(folder, file), "utf8")) as Content;
}
