// Fails when an API report of the SDK differs from a commit and no changeset since then names the SDK. Fails too when an
// export, a part of its declaration, a field, kind, default or merge rule of a hook, or an error code is removed or
// narrowed without a breaking changeset of the SDK, whose topic has a "!", or which is `major` (SDK-021). A line
// "No-breaking: <reason>" of a commit message says that a change only looks like that.
// usage: node scripts/api-changeset.mjs <commit>
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { argv, exit, stderr } from "node:process";
import { removedParts } from "./api-removals.mjs";

const SDK = "@openclaw/plugin-sdk";
const [, , since] = argv;
if (since === undefined) {
  stderr.write("usage: node scripts/api-changeset.mjs <commit>\n");
  exit(2);
}

const reports = changed("packages/plugin-sdk/api");
if (reports.length > 0 && !changed(".changeset").some(namesTheSdk)) {
  stderr.write(
    `${reports.join(", ")} differ from ${since}, and no changeset since then names ${SDK}; ` +
      "run `pnpm changeset` and say what changes for plugin authors\n",
  );
  exit(1);
}

const pages = ["packages/plugin-sdk/api", "docs/reference/hooks", "docs/reference/error-codes.md"];
const removals = pages
  .flatMap((folder) => changed(folder))
  .flatMap((path) => {
    const parts = removedParts(path, textAt(since, path), textAt(undefined, path));
    return parts.map((part) => `${path}: ${part}`);
  });
const isBreaking = changed(".changeset").some((file) => namesTheSdk(file) && breaks(file));
if (removals.length > 0 && !isBreaking && !isSaidCompatible()) {
  stderr.write(
    `a minor version must not remove or narrow the contract of plugins:\n${removals.map((each) => `  ${each}\n`).join("")}` +
      `deprecate it instead, or describe the breaking change in a changeset of ${SDK} whose topic ends with "!"; ` +
      'or say why it breaks nothing in a commit message: "No-breaking: <reason>"\n',
  );
  exit(1);
}

function breaks(file) {
  const [, head = "", text = ""] = readFileSync(file, "utf8").split(/^---$/m);
  return head.includes(`"${SDK}": major`) || /^\s*\w+!:/.test(text);
}

function isSaidCompatible() {
  const messages = execFileSync("git", ["log", "--format=%B", `${since}..HEAD`], {
    encoding: "utf8",
  });
  return /^No-breaking: \S/m.test(messages);
}

/** Returns the text of a file in a commit or in the checkout; undefined when it is not there. */
function textAt(commit, path) {
  if (commit === undefined) return existsSync(path) ? readFileSync(path, "utf8") : undefined;
  try {
    const stdio = ["ignore", "pipe", "ignore"];
    return execFileSync("git", ["show", `${commit}:${path}`], { encoding: "utf8", stdio });
  } catch {
    return undefined;
  }
}

function namesTheSdk(file) {
  if (!file.endsWith(".md") || !existsSync(file)) return false;
  const [, head = ""] = readFileSync(file, "utf8").split("---");
  return head.includes(`"${SDK}":`);
}

/** Files that differ from the commit, those that git does not know yet included. */
function changed(folder) {
  const git = (...args) =>
    execFileSync("git", args, { encoding: "utf8" }).split("\n").filter(Boolean);
  return [
    ...git("diff", "--name-only", since, "--", folder),
    ...git("ls-files", "--others", "--exclude-standard", "--", folder),
  ].sort();
}
