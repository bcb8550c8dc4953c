import { copyFileSync, lstatSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { env } from "node:process";
import { run } from "./command.mjs";

const IDENTITY = { NAME: "rehearsal", EMAIL: "rehearsal@localhost" };

/**
 * Prepares a release in a copy of the workspace: versions, changelogs and builds stay there.
 * @param root - the workspace
 * @param copy - an empty folder
 */
export async function prepareRelease(root, copy) {
  await copyWorkspace(root, copy);
  const inCopy = commandsIn(root, copy);
  // changesets reads the history of the files that it names in changelogs.
  await inCopy("git", "init", "--quiet", "--initial-branch=main");
  await inCopy("git", "add", "--all");
  await inCopy("git", "commit", "--quiet", "--message=the workspace");
  await inCopy("pnpm", "install", "--frozen-lockfile", "--prefer-offline");
  await inCopy("pnpm", "run", "version", "--draft");
  await inCopy("pnpm", "exec", "turbo", "run", "build", "--output-logs=errors-only");
  await inCopy("pnpm", "exec", "tsc", "-b");
}

/**
 * Publishes every package of a prepared release.
 * @param root - the workspace
 * @param copy - where it was prepared
 * @param registry - address to publish to
 * @returns names and versions, as `<name>@<version>`
 */
export async function publishRelease(root, copy, registry) {
  const { host } = new URL(registry);
  // The registry asks for some token and accepts any.
  writeFileSync(join(copy, ".npmrc"), `registry=${registry}\n//${host}/:_authToken=rehearsal\n`);
  const inCopy = commandsIn(root, copy, { npm_config_registry: registry });
  const { output } = await inCopy("node", "scripts/publish.mjs");
  const [, list = ""] = output.split("Successfully published:");
  const names = list.match(/(?:@[a-z0-9-]+\/)?[a-z0-9-]+@\d+\.\d+\.\d+\S*/g);
  if (names === null) throw new Error(`nothing was published:\n${output}`);
  return names;
}

function commandsIn(root, copy, more = {}) {
  const environment = { ...env, TURBO_TELEMETRY_DISABLED: "1", GIT_CONFIG_GLOBAL: "/dev/null" };
  for (const [key, value] of Object.entries(IDENTITY)) {
    environment[`GIT_AUTHOR_${key}`] = value;
    environment[`GIT_COMMITTER_${key}`] = value;
  }
  environment.TURBO_CACHE_DIR = join(root, ".turbo/cache");
  return (...command) => run(command, { cwd: copy, environment: { ...environment, ...more } });
}

/** Everything that git knows or would take up, as it lies there now. */
async function copyWorkspace(root, copy) {
  const list = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const { stdout } = await run([...list, "--deduplicate"], { cwd: root });
  for (const file of stdout.split("\0").filter((name) => name !== "")) {
    const source = join(root, file);
    // Deleted, but not committed yet.
    if (lstatSync(source, { throwIfNoEntry: false }) === undefined) continue;
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    copyFileSync(source, join(copy, file));
  }
}
