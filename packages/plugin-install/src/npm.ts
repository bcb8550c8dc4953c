import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { currentProxyRules } from "@openclaw/safety";
import type { DependencySource } from "./dependency-source.js";
import { PluginSourceError } from "./errors.js";

const NPM_DEADLINE_MS = 300_000;
const MAXIMUM_OUTPUT = 16 * 1024 * 1024;

/** Codes of Node for a server whose certificate no known authority signed. */
const CERTIFICATE_PROBLEM =
  /\b(?:SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_(?:GET_ISSUER_CERT|VERIFY_LEAF_SIGNATURE)\w*)\b/;

/** Options of {@link runNpm}. */
export interface NpmOptions {
  /** Folder that {@link prepareNpmFolder} created; npm reads its project configuration there. */
  readonly cwd: string;
  /** Specifier as the operator wrote it, for errors. */
  readonly requested: string;
  /** Sources other than the registry that npm may fetch from. */
  readonly allowed: readonly DependencySource[];
}

/**
 * Creates a folder with its own `.npmrc` and `package.json`, so that npm reads no project configuration of a
 * plugin.
 * @param dir - absolute path of the folder
 * @param manifest - contents of its `package.json`
 */
export async function prepareNpmFolder(dir: string, manifest: object): Promise<void> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  await writeFile(join(dir, ".npmrc"), "");
  await writeFile(join(dir, "package.json"), JSON.stringify({ private: true, ...manifest }));
}

/**
 * Runs npm in a folder of the host, without install scripts.
 * @param args - command and options
 * @param options - folder and allowed sources
 * @returns the standard output
 * @throws PluginSourceError when npm is missing, fails, or would fetch from a source that is not allowed
 */
export async function runNpm(args: readonly string[], options: NpmOptions): Promise<string> {
  const { cwd, requested } = options;
  try {
    const { stdout } = await promisify(execFile)("npm", args, {
      cwd,
      env: npmEnvironment(options),
      timeout: NPM_DEADLINE_MS,
      maxBuffer: MAXIMUM_OUTPUT,
    });
    return stdout;
  } catch (cause) {
    throw npmFailure(requested, cause);
  }
}

/**
 * Returns the environment of npm. It overrides every `.npmrc` of a project, and the npm that prepares a git
 * dependency inside its clone inherits it.
 */
function npmEnvironment({ cwd, allowed }: NpmOptions): NodeJS.ProcessEnv {
  const permit = (source: DependencySource) => (allowed.includes(source) ? "all" : "none");
  const pinned: Record<string, string> = {
    allow_directory: permit("file"),
    allow_file: permit("file"),
    allow_git: permit("git"),
    allow_remote: permit("url"),
    audit: "false",
    bin_links: "false",
    // By default npm repeats a failed request for more than a minute, without output.
    fetch_retries: "1",
    fetch_retry_mintimeout: "500",
    fund: "false",
    // An npm without `allow-git` must not find git.
    git: allowed.includes("git") ? "git" : join(cwd, "git-is-not-allowed"),
    ignore_scripts: "true",
    install_links: "true",
    legacy_peer_deps: "true",
    // npm ignores an empty value, and the setting of a clone would load a module of the clone.
    node_options: "--no-deprecation",
    script_shell: "/bin/sh",
    shell: "/bin/sh",
  };
  const isPinned = (key: string) =>
    /^npm_config_/i.test(key) &&
    key.slice("npm_config_".length).toLowerCase().replaceAll("-", "_") in pinned;
  const inherited = Object.entries(process.env).filter(([key]) => !isPinned(key));
  const settings = Object.entries(pinned).map(([key, value]) => [`npm_config_${key}`, value]);
  const proxies = currentProxyRules()?.childVariables() ?? {};
  return { ...Object.fromEntries([...inherited, ...settings]), ...proxies };
}

function npmFailure(requested: string, cause: unknown): PluginSourceError {
  const { code, stderr = "" } = cause as { code?: unknown; stderr?: string };
  if (code === "ENOENT") {
    const nextStep = "install Node.js with npm";
    return new PluginSourceError(requested, "npm is not installed", nextStep, cause);
  }
  const reason = stderr.match(/npm (?:error|ERR!) (?!code )(.+)/)?.[1] ?? "npm failed";
  return new PluginSourceError(requested, reason, npmAdvice(stderr), cause);
}

/**
 * Returns what to do about a failure of npm.
 * @param stderr - output of npm
 */
export function npmAdvice(stderr: string): string {
  if (/\bEALLOW[A-Z]+\b/.test(stderr)) {
    return "add the source to plugins.install.allowDependencies if you trust it";
  }
  if (CERTIFICATE_PROBLEM.test(stderr)) {
    return "set NODE_EXTRA_CA_CERTS to the file with the certificate of the registry or of your network's proxy";
  }
  return "check the name, the version and the network";
}
