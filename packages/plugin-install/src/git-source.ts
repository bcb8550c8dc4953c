import { execFile } from "node:child_process";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { currentProxyRules } from "@openclaw/safety";
import { UNPACK_LIMITS } from "./archive/unpack.js";
import { PluginSourceError } from "./errors.js";
import { type NetworkPort, repositoryUrl } from "./marketplaces/repository-url.js";

const GIT_DEADLINE_MS = 300_000;
const MAXIMUM_OUTPUT = 16 * 1024 * 1024;
const HOSTS: Readonly<Record<string, string>> = {
  github: "https://github.com/",
  gitlab: "https://gitlab.com/",
  bitbucket: "https://bitbucket.org/",
};
/** Settings that prevent a checkout from starting programs: hooks, and the filter that git-lfs installs. */
const INERT = [
  ["core.hooksPath", "/dev/null"],
  ["core.fsmonitor", "false"],
  ["filter.lfs.process", ""],
  ["filter.lfs.smudge", ""],
  ["filter.lfs.required", "false"],
].flatMap(([key, value]) => ["-c", `${key}=${value}`]);

const FULL_COMMIT = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
const SHORT_COMMIT = /^[0-9a-f]{4,39}$/;

interface Repository {
  readonly url: string;
  /** Branch, tag or commit; the default branch when absent. */
  readonly ref: string | undefined;
}

/**
 * Checks out a repository without running anything of it. npm would run `npm install` inside the clone and
 * follow the clone's `.npmrc`.
 * @param specifier - git specifier, for example `github:user/name#v1.0.0` or `git+https://host/name.git`
 * @param dir - folder to create
 * @param requested - specifier as the operator wrote it
 * @param checked - network check of the host, which a repository of a marketplace passes; then git follows no redirect
 * @returns ID of the commit
 * @throws PluginSourceError, NetworkDeniedError, MarketplaceRedirectError
 */
export async function checkOutRepository(
  specifier: string,
  dir: string,
  requested: string,
  checked?: { readonly network: NetworkPort },
): Promise<string> {
  const { url: written, ref } = repositoryOf(specifier, requested);
  const url = checked === undefined ? written : await repositoryUrl(written, checked.network);
  await mkdir(dir);
  const fixed = checked === undefined ? [] : ["-c", "http.followRedirects=false"];
  const git = (args: readonly string[]) => runGit([...fixed, ...args], dir, requested);
  await git(["init", "--quiet", "--template="]);
  const commit = await fetchCommit(git, { url, ref });
  assertTree(await git(["ls-tree", "-r", "-l", "-z", commit]), requested);
  await git(["checkout", "--quiet", "--detach", commit, "--"]);
  const id = (await git(["rev-parse", "HEAD"])).trim();
  await rm(join(dir, ".git"), { recursive: true, force: true });
  return id;
}

function repositoryOf(specifier: string, requested: string): Repository {
  const [address = "", ref] = specifier.split(/#(.*)/s);
  if (ref?.startsWith("semver:") || ref?.startsWith("-")) {
    const nextStep = "name a branch, a tag or a commit after #";
    throw new PluginSourceError(requested, `git has no reference "${ref}"`, nextStep);
  }
  const [, host = "github", path] =
    /^(?:(github|gitlab|bitbucket):)?([\w.-]+\/[\w.-]+)$/.exec(address) ?? [];
  const url = path === undefined ? address.replace(/^git\+/, "") : `${HOSTS[host]}${path}.git`;
  return { url: url.replace(/(\.git){2}$/, ".git"), ref: ref === "" ? undefined : ref };
}

async function fetchCommit(
  git: (args: readonly string[]) => Promise<string>,
  { url, ref = "HEAD" }: Repository,
): Promise<string> {
  if (FULL_COMMIT.test(ref)) return await fetchById(git, url, ref);
  try {
    await git(["fetch", "--quiet", "--depth=1", "--", url, ref]);
    return "FETCH_HEAD";
  } catch (error) {
    // A name such as `cafe` is a branch or tag first, and only else the beginning of a commit.
    if (!SHORT_COMMIT.test(ref)) throw error;
    return await fetchById(git, url, ref);
  }
}

/** Servers need not serve a single commit by its ID. */
async function fetchById(
  git: (args: readonly string[]) => Promise<string>,
  url: string,
  id: string,
): Promise<string> {
  await git(["fetch", "--quiet", "--tags", "--", url, "+refs/heads/*:refs/remotes/origin/*"]);
  return (await git(["rev-parse", "--verify", "--quiet", `${id}^{commit}`])).trim();
}

/** Checks the limits of the checkout before a file is written. */
function assertTree(listing: string, requested: string): void {
  const entries = listing.split("\0").filter((line) => line !== "");
  let bytes = 0;
  for (const line of entries) {
    const [, mode, size, path] = /^(\d+) \w+ \w+ +(\d+|-)\t(.*)$/s.exec(line) ?? [];
    if (mode === "120000") {
      throw new PluginSourceError(
        requested,
        `${path} is a link`,
        "replace it with the file that it refers to",
      );
    }
    bytes += Number(size === "-" ? 0 : size);
  }
  if (entries.length > UNPACK_LIMITS.entries || bytes > UNPACK_LIMITS.bytes) {
    throw new PluginSourceError(
      requested,
      "the repository is too large",
      "install a release instead",
    );
  }
}

async function runGit(args: readonly string[], cwd: string, requested: string): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)("git", [...INERT, ...args], {
      cwd,
      env: {
        ...process.env,
        ...currentProxyRules()?.childVariables(),
        GIT_ALLOW_PROTOCOL: "https:http:ssh:git:file",
        GIT_TERMINAL_PROMPT: "0",
      },
      timeout: GIT_DEADLINE_MS,
      maxBuffer: MAXIMUM_OUTPUT,
    });
    return stdout;
  } catch (cause) {
    const { code, stderr = "" } = cause as { code?: unknown; stderr?: string };
    if (code === "ENOENT") {
      throw new PluginSourceError(requested, "git is not installed", "install git", cause);
    }
    const reason = /^fatal: (.+)$/m.exec(stderr)?.[1] ?? "git failed";
    const nextStep = "check the URL, the reference and the network";
    throw new PluginSourceError(requested, reason, nextStep, cause);
  }
}
