// Compares the changed sources of a change with its tests, requirements and changesets, and names what is missing, and
// new changesets that have no topic, are too long or name a package that is not published. It warns, and fails with CI set. A line of a commit message
// overrides a part with its reason: No-test, No-requirement or No-changeset, for example
// `No-changeset: changes comments only`.
// usage: pnpm changes
// A change begins at OPENCLAW_CHANGE_BASE, else where the branch left main, else at the last tag; at the newest release
// after that, which has consumed the changesets before it. It ends with the files of the checkout, committed or not.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { cwd, env, execPath, exit, stdout } from "node:process";
import {
  adviceForUnknown,
  citedIn,
  malformedIn,
  readRequirements,
} from "../apps/e2e/src/documentation/requirements.ts";
import { missingParts } from "../apps/e2e/src/repository/change-check.ts";
import {
  backlogWarning,
  packageProblem,
  parseChangeset,
  readChangesets,
  textProblem,
} from "./releasing/changesets.mjs";

/** Its version changes in a release only. */
const APP = "apps/gateway/package.json";

const root = cwd();
const backlog = backlogWarning(readChangesets(root).length);
if (backlog !== undefined) stdout.write(`changes: ${backlog}\n`);
const base = afterRelease(baseOfChange());
if (base === undefined) {
  stdout.write("changes: no base to compare with (no OPENCLAW_CHANGE_BASE, branch or tag)\n");
  exit(0);
}
const files = changedFiles(base.commit);
const requirements = readRequirements(root);
const known = new Set(requirements.map(({ id }) => id));
const addedTests = files.flatMap(({ path, added }) => (path.includes("/test/") ? [added] : []));
const unknown = new Set(addedTests.flatMap(citedIn)).difference(known);
const malformed = new Set(addedTests.flatMap(malformedIn));
for (const id of malformed) {
  stdout.write(`changes: a test cites ${id}, which is not an ID of a requirement\n`);
  stdout.write("  write an area in capitals, a hyphen and three digits, for example GW-005\n");
}
for (const id of unknown) {
  stdout.write(`changes: a test cites ${id}, which is not a requirement\n`);
  stdout.write(`  ${adviceForUnknown(id, requirements)}\n`);
}
const missing = missingParts({
  files,
  messages: git("log", "--format=%B", `${base.commit}..HEAD`),
  publishedName,
  citedIn,
});
for (const { part, owners, advice } of missing) {
  stdout.write(`changes: no ${part} for ${owners.join(", ")}\n`);
  stdout.write(`  ${advice}; or say why in a commit message: "No-${part}: <reason>"\n`);
}
const published = publishedNames();
const unclear = newChangesets(base.commit).flatMap((file) => {
  const changeset = parseChangeset(contentOf(file));
  const problems = [textProblem(changeset), packageProblem(changeset, published)];
  return problems.flatMap((found) => (found === undefined ? [] : [{ file, ...found }]));
});
for (const { file, problem, advice } of unclear) {
  stdout.write(`changes: ${file}: ${problem}\n  ${advice}\n`);
}
const contract = spawnSync(
  execPath,
  [join(import.meta.dirname, "api-changeset.mjs"), base.commit],
  { encoding: "utf8" },
);
if (contract.status !== 0) stdout.write(`changes: ${contract.stderr}`);
const wrongIds = unknown.size + malformed.size;
if (missing.length === 0 && wrongIds === 0 && unclear.length === 0 && contract.status === 0) {
  stdout.write(`changes: tests, requirements and changesets are there, since ${base.name}\n`);
} else if (env.CI) exit(1);

/** Returns the commit from which the change is compared, and its name for display. */
function baseOfChange() {
  const wanted = env.OPENCLAW_CHANGE_BASE;
  if (wanted) {
    const commit = found("merge-base", "HEAD", wanted);
    if (commit !== undefined) return { commit, name: wanted };
    stdout.write(
      `changes: OPENCLAW_CHANGE_BASE "${wanted}" is not a commit with a common ancestor\n`,
    );
    exit(2);
  }
  const head = found("rev-parse", "HEAD");
  for (const branch of ["main", "origin/main"]) {
    const commit = found("merge-base", "HEAD", branch);
    // At the tip of main only a tag separates the change from what is released.
    if (commit !== undefined && (commit !== head || git("status", "--porcelain") !== "")) {
      return { commit, name: branch };
    }
  }
  const tag = found("describe", "--tags", "--abbrev=0");
  return tag === undefined ? undefined : { commit: tag, name: tag };
}

/** Returns the commit of the newest release since a base, else the base. */
function afterRelease(base) {
  if (base === undefined) return undefined;
  const range = `${base.commit}..HEAD`;
  const version = ["-G", '^ {2}"version": ', "--", APP];
  const commit = found("log", "-1", "--format=%H", "--diff-filter=M", range, ...version);
  return commit ? { commit, name: `the release ${commit.slice(0, 8)}` } : base;
}

function changedFiles(commit) {
  const edited = namesIn(git("diff", "--name-only", "-z", "--diff-filter=d", commit));
  const created = namesIn(git("ls-files", "--others", "--exclude-standard", "-z"));
  return [
    ...edited.map((path) => ({ path, added: addedLines(commit, path) })),
    ...created.map((path) => ({ path, added: contentOf(path) })),
  ];
}

/** Changesets that the change adds: the text of an earlier one is not checked again. */
function newChangesets(commit) {
  const added = ["diff", "--name-only", "-z", "--no-renames", "--diff-filter=A", commit];
  const created = ["ls-files", "--others", "--exclude-standard", "-z"];
  return [added, created]
    .flatMap((command) => namesIn(git(...command, "--", ".changeset")))
    .filter((file) => file.endsWith(".md"));
}

function namesIn(text) {
  return text.split("\0").filter((file) => file !== "");
}

function addedLines(commit, path) {
  // The front matter of a changeset counts also when its text was edited.
  if (path.startsWith(".changeset/")) return contentOf(path);
  if (!path.includes("/test/")) return "";
  return git("diff", "-U0", commit, "--", path)
    .split("\n")
    .filter((line) => line.startsWith("+") && !line.startsWith("+++"))
    .join("\n");
}

function contentOf(path) {
  return readFileSync(join(root, path), "utf8");
}

function publishedName(folder) {
  const manifest = join(root, folder, "package.json");
  if (!existsSync(manifest)) return undefined;
  const { name, private: isPrivate } = JSON.parse(readFileSync(manifest, "utf8"));
  return isPrivate === true ? undefined : name;
}

/** Returns the names of the packages of the checkout that are published. */
function publishedNames() {
  const manifests = globSync("{packages,extensions,apps}/*/package.json", { cwd: root });
  return manifests.flatMap((file) => publishedName(dirname(file)) ?? []);
}

function git(...args) {
  return execFileSync("git", args, {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
    stdio: ["ignore", "pipe", "ignore"],
  });
}

/** Returns what git prints; undefined when it fails. */
function found(...args) {
  try {
    return git(...args).trim();
  } catch {
    return undefined;
  }
}
