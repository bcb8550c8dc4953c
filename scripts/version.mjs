// Gives every package with a changeset its new version, writes the changelogs, and carries the versions to
// where else they are written. create-openclaw-plugin depends on nothing of ours, but what it starts does:
// it gets a release of its own when those versions changed.
// usage: node scripts/version.mjs
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { execPath, exit } from "node:process";
import { syncVersions, TEMPLATE_VERSIONS } from "./sync-versions.mjs";

const root = resolve(import.meta.dirname, "..");
const CREATE = join(root, "packages/create-openclaw-plugin");

const before = ownVersion();
const changeset = join(root, "node_modules/@changesets/cli/bin.js");
const { status } = spawnSync(execPath, [changeset, "version"], { cwd: root, stdio: "inherit" });
if (status !== 0) exit(status ?? 1);
const stale = syncVersions(root, { write: true });
if (stale.includes(TEMPLATE_VERSIONS) && ownVersion() === before) {
  releaseCreate();
  syncVersions(root, { write: true });
}

function releaseCreate() {
  const [major, minor, patch] = before.split(".").map(Number);
  const version = `${major}.${minor}.${patch + 1}`;
  const manifest = join(CREATE, "package.json");
  const text = readFileSync(manifest, "utf8");
  writeFileSync(manifest, text.replace(`"version": "${before}"`, `"version": "${version}"`));

  const versions = Object.entries(JSON.parse(readFileSync(join(root, TEMPLATE_VERSIONS), "utf8")));
  const list = versions.map(([name, number]) => `  - ${name}@${number}`).join("\n");
  const entry = `## ${version}\n\n### Patch Changes\n\n- New plugins start with\n${list}\n`;
  const changelog = join(CREATE, "CHANGELOG.md");
  const title = "# create-openclaw-plugin\n";
  const rest = existsSync(changelog) ? readFileSync(changelog, "utf8").slice(title.length) : "";
  writeFileSync(changelog, `${title}\n${entry}${rest}`);
}

function ownVersion() {
  return JSON.parse(readFileSync(join(CREATE, "package.json"), "utf8")).version;
}
