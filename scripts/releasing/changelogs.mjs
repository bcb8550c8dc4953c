// Writes the changelogs of a release: one of each package, and CHANGELOG.md of the workspace, which has each change once.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { TOPICS } from "./changesets.mjs";

const BREAKING = "Breaking changes";
const OTHER = "Other changes";
const LONGEST_LINE = 118;
const RELEASES = /^## /m;
const UNRELEASED = /^## Unreleased\n+(?<summary>[\s\S]*?)(?=^## |$(?![\s\S]))/m;
const INTRODUCTION =
  "# Changelog\n\nWhat changed for whom, in all packages. The `CHANGELOG.md` of a package has its changes only.\n";

/**
 * Adds a release to the changelog of a package.
 * @param file - path of the changelog, absolute
 * @param release - package, new version, its changesets, and lines that follow them
 */
export function writePackageChangelog(file, { name, version, changesets, remarks }) {
  const sections = sectionsOf(changesets, (some) => [some.map((one) => entryOf(one)).join("\n")]);
  insertRelease(file, `# ${name}\n`, [`## ${version}`, ...sections, ...remarks]);
}

/**
 * Adds a release to the changelog of the workspace. What is written below `## Unreleased` becomes its introduction.
 * @param root - the workspace
 * @param release - its title, its changesets, and the new version of each released package
 * @returns true when there was an introduction
 */
export function writeWorkspaceChangelog(root, { title, changesets, versions }) {
  const file = join(root, "CHANGELOG.md");
  const before = existsSync(file) ? readFileSync(file, "utf8") : INTRODUCTION;
  const summary = UNRELEASED.exec(before)?.groups?.summary.trim() ?? "";
  writeFileSync(file, `${before.replace(UNRELEASED, "").trimEnd()}\n`);
  const sections = sectionsOf(changesets, (some, isBreaking) =>
    isBreaking ? byTopic(some, "####", entriesWithPackages) : entriesWithPackages(some),
  );
  insertRelease(file, INTRODUCTION, [
    `## ${title}`,
    ...(summary === "" ? [] : [summary]),
    ...sections,
    "### Versions",
    versionLines(versions),
  ]);
  return summary !== "";
}

/** Breaking changes, then the others by topic. */
function sectionsOf(changesets, render) {
  const breaking = changesets.filter(({ isBreaking }) => isBreaking);
  const others = changesets.filter(({ isBreaking }) => !isBreaking);
  return [
    ...(breaking.length === 0 ? [] : [`### ${BREAKING}`, ...render(breaking, true)]),
    ...byTopic(others, "###", (some) => render(some, false)),
  ];
}

function byTopic(changesets, level, render) {
  return [...TOPICS, [undefined, OTHER]].flatMap(([topic, heading]) => {
    const some = changesets.filter((one) => one.topic === topic);
    return some.length === 0 ? [] : [`${level} ${heading}`, ...render(some)];
  });
}

function entriesWithPackages(changesets) {
  return [changesets.map((one) => entryOf(one, one.packages)).join("\n")];
}

/** Returns a changeset as an item of a list, with the names of its packages after its first paragraph. */
function entryOf({ text }, packages) {
  const lines = text.split(/\r?\n/).map((line) => line.trimEnd());
  if (packages !== undefined) {
    const names = `[${packages.map(shortName).sort().join(", ")}]`;
    const next = lines.findIndex((line, index) => index > 0 && /^(?:$|[-*] )/.test(line));
    const end = next === -1 ? lines.length : next;
    const last = `${lines[end - 1]} ${names}`;
    lines.splice(end - 1, 1, ...(last.length > LONGEST_LINE ? [lines[end - 1], names] : [last]));
  }
  const [first, ...rest] = lines;
  return [`- ${first}`, ...rest.map((line) => (line === "" ? "" : `  ${line}`))].join("\n");
}

function versionLines(versions) {
  return versionGroups(versions)
    .map(([version, names]) => `- ${version}: ${names}`)
    .join("\n");
}

/**
 * Returns the new versions with the names of their packages, the version of most packages first.
 * @param versions - names of packages with their new versions
 */
export function versionGroups(versions) {
  return [...Map.groupBy(versions, ([, version]) => version)]
    .sort(([, some], [, others]) => others.length - some.length)
    .map(([version, some]) => [
      version,
      some
        .map(([name]) => shortName(name))
        .sort()
        .join(", "),
    ]);
}

function shortName(name) {
  return name.replace(/^@openclaw\//, "");
}

/** Puts a release before the earlier ones. */
function insertRelease(file, title, blocks) {
  const before = existsSync(file) ? readFileSync(file, "utf8") : title;
  const at = before.search(RELEASES);
  const [head, earlier] = at === -1 ? [before, ""] : [before.slice(0, at), before.slice(at)];
  writeFileSync(
    file,
    `${head.trimEnd()}\n\n${blocks.join("\n\n")}\n${earlier === "" ? "" : `\n${earlier}`}`,
  );
}
