// Fails when an API report of the SDK differs from a commit and no changeset since then names the SDK.
// usage: node scripts/api-changeset.mjs <commit>
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { argv, exit, stderr } from "node:process";

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
