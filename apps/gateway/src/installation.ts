import { existsSync, readFileSync } from "node:fs";
import { findPackageJSON } from "node:module";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

interface PackageManifest {
  name?: string;
  exports?: Record<string, { default: string }>;
  version?: string;
  packageManager?: string;
  dependencies?: Record<string, string>;
}

const packageDir = dirname(dirname(fileURLToPath(import.meta.url)));
const manifest = readManifest(join(packageDir, "package.json"));

/** Describes how this copy of the product was installed. */
export interface Installation {
  readonly version: string;
  /** Root of the source checkout that contains this copy; undefined for an installed package. */
  readonly checkout: string | undefined;
  /** Command that an operator types here to run `openclaw`. */
  readonly command: string;
}

/** This copy of the product. */
export const installation: Installation = describe();

function describe(): Installation {
  const version = manifest.version ?? "0.0.0";
  const root = dirname(dirname(packageDir));
  const rootManifest = existsSync(join(root, "package.json"))
    ? readManifest(join(root, "package.json"))
    : {};
  if (rootManifest.name !== "openclaw-workspace") {
    return { version, checkout: undefined, command: "openclaw" };
  }
  return { version, checkout: root, command: `npx -y ${rootManifest.packageManager} -s openclaw` };
}

/**
 * Returns the folder of the host's state: `OPENCLAW_STATE_DIR`, else next to the code of a checkout, else in
 * the user's home (D27).
 * @param environment - environment variables; an empty one counts as unset
 */
export function stateDirOf(environment: NodeJS.ProcessEnv): string {
  const { OPENCLAW_STATE_DIR: named } = environment;
  if (named !== undefined && named !== "") return resolve(named);
  return installation.checkout === undefined
    ? join(homedir(), ".openclaw")
    : join(installation.checkout, ".openclaw-state");
}

/**
 * Returns the path of the configuration file: `OPENCLAW_CONFIG_PATH`, else `openclaw.json` in the state
 * folder.
 * @param environment - environment variables; an empty one counts as unset
 */
export function configurationFileOf(environment: NodeJS.ProcessEnv): string {
  const { OPENCLAW_CONFIG_PATH: named } = environment;
  if (named !== undefined && named !== "") return resolve(named);
  return join(stateDirOf(environment), "openclaw.json");
}

/** Returns the path of the script that starts this copy of the product. */
export function openclawScript(): string {
  return join(packageDir, "bin", "openclaw.cjs");
}

/** Returns the path of the program that works on a job inside a sandbox. */
export function workerProgram(): string {
  return join(packageDir, "dist", "worker.mjs");
}

/** Returns the folder of the documentation that this copy was built with. */
export function documentationFolder(): string {
  return join(packageDir, "dist", "docs");
}

let bundled: readonly string[] | undefined;

/** Returns the folders of the bundled extensions, which are dependencies of this package. A process looks for them once. */
export function bundledExtensions(): readonly string[] {
  bundled ??= findBundledExtensions();
  return bundled;
}

function findBundledExtensions(): readonly string[] {
  const folders: string[] = [];
  for (const name of Object.keys(manifest.dependencies ?? {})) {
    if (!name.startsWith("@openclaw/")) continue;
    const file = findPackageJSON(name, import.meta.url);
    if (file === undefined) continue;
    const folder = dirname(file);
    if (existsSync(join(folder, "openclaw.plugin.json"))) folders.push(folder);
  }
  return folders;
}

/** Returns the modules that this package exports under `openclaw/plugin-sdk`: specifier to URL. */
export function sdkModules(): Map<string, string> {
  const modules = Object.entries(manifest.exports ?? {});
  return new Map(
    modules.map(([subpath, { default: file }]) => [
      `openclaw${subpath.slice(1)}`,
      pathToFileURL(join(packageDir, file)).href,
    ]),
  );
}

function readManifest(file: string): PackageManifest {
  return JSON.parse(readFileSync(file, "utf8")) as PackageManifest;
}
