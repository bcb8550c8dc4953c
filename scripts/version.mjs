// Turns the waiting changesets into a release: gives every package with a changeset its new version, writes the
// changelogs, and carries the versions to where else they are written. Two packages contain others without depending on
// them: create-openclaw-plugin starts plugins with given versions, and openclaw bundles the packages of the gateway. Each
// gets a release as well when those versions changed.
// usage: pnpm run version [--draft]   --draft lists changesets without a topic under "Other changes"; without it they are
// named and nothing is written
import { spawnSync } from "node:child_process";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { argv, execPath, exit, stderr, stdout } from "node:process";
import {
  versionGroups,
  writePackageChangelog,
  writeWorkspaceChangelog,
} from "./releasing/changelogs.mjs";
import {
  backlogWarning,
  lacksTopic,
  readChangesets,
  TOPIC_ADVICE,
} from "./releasing/changesets.mjs";
import { syncVersions, TEMPLATE_VERSIONS } from "./sync-versions.mjs";

const root = resolve(import.meta.dirname, "..");
const APP = "openclaw";
const CREATE = "create-openclaw-plugin";

const waiting = readChangesets(root);
if (waiting.length === 0) {
  stdout.write("version: no changeset waits, so there is nothing to release\n");
  exit();
}
/** One without packages releases nothing. */
const changesets = waiting.filter(({ packages }) => packages.length > 0);
const warning = backlogWarning(waiting.length);
if (warning !== undefined) stderr.write(`version: ${warning}\n`);
if (!argv.includes("--draft")) stopWithoutTopics();

const before = readPackages();
const changeset = join(root, "node_modules/@changesets/cli/bin.js");
const { status } = spawnSync(execPath, [changeset, "version"], { cwd: root, stdio: "inherit" });
if (status !== 0) exit(status ?? 1);

const stale = syncVersions(root, { write: true });
/** Why packages without a changeset are released. */
const reasons = new Map();
if (stale.includes(TEMPLATE_VERSIONS)) {
  const versions = JSON.parse(readFileSync(join(root, TEMPLATE_VERSIONS), "utf8"));
  release(CREATE, "New plugins start with", Object.entries(versions));
}
release(APP, "Bundles", changedIn(bundledIn(APP)));
syncVersions(root, { write: true });

const versions = changedIn(new Set(before.keys()));
if (versions.length > 0) {
  for (const [name, version] of versions) writeChangelog(name, version);
  const { title, tags } = titleOf(versions);
  const hasSummary = writeWorkspaceChangelog(root, { title, changesets, versions });
  if (!hasSummary) {
    stderr.write(
      "version: CHANGELOG.md has no summary of the release. Write under its title what a reader can do now, before you commit\n",
    );
  }
  stdout.write(nextSteps(title, tags));
}

/** Ends the program when the topic of a changeset is missing, before anything is written. */
function stopWithoutTopics() {
  const without = changesets.filter(lacksTopic);
  if (without.length === 0) return;
  for (const { file, packages, text } of without) {
    stderr.write(`${file} (${packages.join(", ")}): ${text.split("\n")[0]}\n`);
  }
  stderr.write(
    `version: nothing was written, because ${without.length} changesets have no known topic. ${TOPIC_ADVICE}\n`,
  );
  exit(1);
}

/** Releases a patch of a package that has no new version yet, for the named versions of others. */
function release(name, reason, of) {
  const known = before.get(name);
  const { dir, version: now } = readPackages().get(name) ?? {};
  if (of.length === 0 || known === undefined || known.version !== now) return;
  const [major, minor, patch] = now.split(".").map(Number);
  const manifest = join(dir, "package.json");
  const text = readFileSync(manifest, "utf8");
  const version = `"version": "${major}.${minor}.${patch + 1}"`;
  writeFileSync(manifest, text.replace(`"version": "${now}"`, version));
  reasons.set(name, `${reason} ${grouped(of)}.`);
}

function writeChangelog(name, version) {
  const { dir, manifest } = before.get(name);
  const needs = new Set(Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }));
  const updated = versions.filter(([other]) => needs.has(other));
  const remarks = [
    reasons.get(name),
    updated.length === 0 ? undefined : `Needs ${grouped(updated)}.`,
  ].filter((remark) => remark !== undefined);
  writePackageChangelog(join(dir, "CHANGELOG.md"), {
    ...{ name, version, remarks },
    changesets: changesets.filter(({ packages }) => packages.includes(name)),
  });
}

function grouped(of) {
  return versionGroups(of)
    .map(([version, names]) => `version ${version} of ${names}`)
    .join(", and ");
}

function listed(of) {
  return of.map(([name, version]) => `${name} ${version}`).join(", ");
}

/** A release is called by the version of openclaw; one without it by its packages. */
function titleOf(of) {
  const app = of.find(([name]) => name === APP);
  if (app !== undefined) return { title: app[1], tags: [`v${app[1]}`] };
  return { title: listed(of), tags: of.map(([name, version]) => `${name}@${version}`) };
}

function nextSteps(title, tags) {
  const commands = [
    `git add --all && git commit -m "Release ${title}"`,
    "pnpm rehearse-release",
    "pnpm release-checks",
    ...tags.map((tag) => `git tag -a ${tag} -m "Release ${title}"`),
    `git push origin HEAD ${tags.join(" ")}`,
    "pnpm release",
  ];
  return `version: release ${title} is written; read CHANGELOG.md. Next:\n${commands.map((one) => `  ${one}\n`).join("")}`;
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
