// Gives every package with a changeset its new version, writes the changelogs, and carries the versions to
// where else they are written. Two packages contain others without depending on them: create-openclaw-plugin starts
// plugins with given versions, and openclaw bundles the packages of the gateway. Each gets a release of its own when
// those versions changed.
// usage: node scripts/version.mjs
import { spawnSync } from "node:child_process";
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { execPath, exit } from "node:process";
import { syncVersions, TEMPLATE_VERSIONS } from "./sync-versions.mjs";

const root = resolve(import.meta.dirname, "..");
const APP = "openclaw";
const CREATE = "create-openclaw-plugin";

const before = readPackages();
const changeset = join(root, "node_modules/@changesets/cli/bin.js");
const { status } = spawnSync(execPath, [changeset, "version"], { cwd: root, stdio: "inherit" });
if (status !== 0) exit(status ?? 1);
const stale = syncVersions(root, { write: true });
if (stale.includes(TEMPLATE_VERSIONS)) {
  const versions = JSON.parse(readFileSync(join(root, TEMPLATE_VERSIONS), "utf8"));
  release(CREATE, "New plugins start with", Object.entries(versions));
}
release(APP, "Bundles", changedIn(bundledIn(APP)));
syncVersions(root, { write: true });

/** Releases a patch of a package that has no new version yet, for the named versions of others. */
function release(name, reason, versions) {
  const known = before.get(name);
  const { dir, version: now } = readPackages().get(name) ?? {};
  if (versions.length === 0 || known === undefined || known.version !== now) return;
  const [major, minor, patch] = now.split(".").map(Number);
  const version = `${major}.${minor}.${patch + 1}`;
  const manifest = join(dir, "package.json");
  const text = readFileSync(manifest, "utf8");
  writeFileSync(manifest, text.replace(`"version": "${now}"`, `"version": "${version}"`));

  const list = versions.map(([other, number]) => `  - ${other}@${number}`).join("\n");
  const entry = `## ${version}\n\n### Patch Changes\n\n- ${reason}\n${list}\n`;
  const changelog = join(dir, "CHANGELOG.md");
  const title = `# ${name}\n`;
  const rest = existsSync(changelog) ? readFileSync(changelog, "utf8").slice(title.length) : "";
  writeFileSync(changelog, `${title}\n${entry}${rest}`);
}

/** Names of the packages whose code a package contains: its development dependencies and what they depend on. */
function bundledIn(name) {
  const { devDependencies = {}, dependencies: own = {} } = before.get(name)?.manifest ?? {};
  const names = new Set();
  const add = (dependencies) => {
    for (const dependency of Object.keys(dependencies)) {
      // Dependencies of its own are installed beside it, not bundled.
      if (names.has(dependency) || !before.has(dependency) || dependency in own) continue;
      names.add(dependency);
      add(before.get(dependency).manifest.dependencies ?? {});
    }
  };
  add(devDependencies);
  return names;
}

/** Name and new version of each of the packages that got one. */
function changedIn(names) {
  return [...readPackages()]
    .filter(([name, { version }]) => names.has(name) && before.get(name)?.version !== version)
    .map(([name, { version }]) => [name, version]);
}

function readPackages() {
  const files = globSync("{packages,extensions,apps}/*/package.json", { cwd: root }).sort();
  return new Map(
    files.map((file) => {
      const manifest = JSON.parse(readFileSync(join(root, file), "utf8"));
      return [
        manifest.name,
        { dir: join(root, dirname(file)), version: manifest.version, manifest },
      ];
    }),
  );
}
