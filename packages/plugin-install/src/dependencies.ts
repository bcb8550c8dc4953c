import { mkdir, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname, join, resolve, sep } from "node:path";
import type { InstallFinding } from "@openclaw/plugin-sdk/hooks";
import { type DependencySource, dependencySource } from "./dependency-source.js";
import { PluginInstallRefusedError } from "./errors.js";
import { isFirstParty } from "./first-party.js";
import { prepareNpmFolder, runNpm } from "./npm.js";
import { readPackage } from "./package-manifest.js";
import type { StagedPlugin } from "./source.js";

/** Options of {@link installDependencies}. */
export interface DependencyOptions {
  readonly pluginId: string;
  /** Sources other than the registry that the operator allows. */
  readonly allowed: readonly DependencySource[];
}

type Dependencies = Readonly<Record<string, string>>;

interface PackageLock {
  readonly packages?: Readonly<
    Record<
      string,
      {
        resolved?: string;
        dependencies?: Dependencies;
        optionalDependencies?: Dependencies;
        peerDependencies?: Dependencies;
        peerDependenciesMeta?: Readonly<Record<string, { optional?: boolean }>>;
      }
    >
  >;
}

/**
 * Installs the dependencies of a staged plugin in a folder of the host, and moves them into the plugin. npm
 * sees only the names and ranges of dependencies, and no other file of the plugin: no `.npmrc`, no scripts,
 * no settings of a package manager. Packages that the archive bundles stay unchanged.
 * @param staged - staged plugin; a folder without a package name is left unchanged
 * @param options - plugin and allowed sources
 * @throws PluginInstallRefusedError for a dependency from a source that is not allowed
 * @throws PluginSourceError when npm fails
 */
export async function installDependencies(
  staged: StagedPlugin,
  options: DependencyOptions,
): Promise<void> {
  const { dir, requested } = staged;
  const manifest = staged.integrity === undefined ? undefined : await readPackage(dir);
  if (manifest === undefined) return;
  const dependencies = await missing(manifest.dependencies, dir, options);
  const optionalDependencies = await missing(manifest.optionalDependencies, dir, options);
  if (Object.keys({ ...dependencies, ...optionalDependencies }).length === 0) return;
  const cwd = join(dirname(dir), "dependencies");
  // npm would reject the name of a package that is also a dependency.
  const name = `plugin-dependencies-${Date.now()}`;
  let peers: Dependencies = {};
  do {
    Object.assign(dependencies, peers);
    await prepareNpmFolder(cwd, { name, dependencies, optionalDependencies });
    await runNpm(["install"], { cwd, requested, allowed: options.allowed });
    await assertLocked(cwd, options);
    peers = await missingPeers(cwd, dir, dependencies, options);
  } while (Object.keys(peers).length > 0);
  await removeFirstParty(cwd);
  await moveMissing(join(cwd, "node_modules"), join(dir, "node_modules"));
}

/** Returns the dependencies to fetch, those from files by their absolute path inside the plugin. */
async function missing(
  dependencies: Dependencies = {},
  dir: string,
  options: DependencyOptions,
): Promise<Record<string, string>> {
  const wanted: Record<string, string> = {};
  for (const [name, specifier] of Object.entries(dependencies)) {
    // The host provides these; in the registry the names belong to another publisher.
    if (isFirstParty(name)) continue;
    assertAllowed(name, specifier, options);
    if (await exists(join(dir, "node_modules", name, "package.json"))) continue;
    wanted[name] =
      dependencySource(specifier) === "file" ? localPath(name, specifier, dir, options) : specifier;
  }
  return wanted;
}

function assertAllowed(
  name: string,
  specifier: unknown,
  { pluginId, allowed }: DependencyOptions,
): void {
  const source = typeof specifier === "string" ? dependencySource(specifier) : "unknown";
  if (source === "registry" || (source !== "unknown" && allowed.includes(source))) return;
  const nextStep =
    source === "unknown"
      ? "ask the plugin's author to use a version range"
      : `add "${source}" to plugins.install.allowDependencies if you trust it`;
  throw new PluginInstallRefusedError(
    pluginId,
    `its dependency "${name}" (${String(specifier)}) does not come from the registry`,
    nextStep,
  );
}

function localPath(
  name: string,
  specifier: string,
  dir: string,
  { pluginId }: DependencyOptions,
): string {
  const path = resolve(dir, specifier.replace(/^(?:file|link|portal|workspace):/, ""));
  if (path.startsWith(dir + sep)) return `file:${path}`;
  throw new PluginInstallRefusedError(
    pluginId,
    `its dependency "${name}" (${specifier}) is outside the plugin's folder`,
    "ask the plugin's author to bundle the dependency",
  );
}

/** Checks the sources of indirect dependencies; an npm with `allow-git` has already checked them. */
async function assertLocked(cwd: string, options: DependencyOptions): Promise<void> {
  const { packages = {} } = await readLock(cwd);
  for (const [path, { resolved, dependencies, optionalDependencies }] of Object.entries(packages)) {
    if (path !== "" && resolved?.startsWith("git")) assertAllowed(path, resolved, options);
    for (const [name, specifier] of Object.entries({ ...dependencies, ...optionalDependencies })) {
      assertAllowed(name, specifier, options);
    }
  }
}

/**
 * Returns the required peer dependencies that are not there. npm itself would also fetch those with a
 * name of this project, and would give up where two ranges have no version in common; here the first range counts.
 */
async function missingPeers(
  cwd: string,
  dir: string,
  requested: Dependencies,
  options: DependencyOptions,
): Promise<Record<string, string>> {
  const { packages = {} } = await readLock(cwd);
  const peers: Record<string, string> = {};
  for (const { peerDependencies = {}, peerDependenciesMeta = {} } of Object.values(packages)) {
    for (const [name, range] of Object.entries(peerDependencies)) {
      if (peerDependenciesMeta[name]?.optional === true || isFirstParty(name)) continue;
      const isThere = [requested, peers].some((some) => Object.hasOwn(some, name));
      if (isThere || `node_modules/${name}` in packages) continue;
      if (await exists(join(dir, "node_modules", name, "package.json"))) continue;
      assertAllowed(name, range, options);
      peers[name] = range;
    }
  }
  return peers;
}

/** Removes packages with a name of this project that dependencies of dependencies brought. */
async function removeFirstParty(cwd: string): Promise<void> {
  const { packages = {} } = await readLock(cwd);
  for (const path of Object.keys(packages)) {
    const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
    if (path !== "" && isFirstParty(name)) {
      await rm(join(cwd, path), { recursive: true, force: true });
    }
  }
}

async function readLock(cwd: string): Promise<PackageLock> {
  return JSON.parse(await readFile(join(cwd, "package-lock.json"), "utf8")) as PackageLock;
}

async function moveMissing(from: string, to: string): Promise<void> {
  if (!(await exists(from))) return;
  // npm's own list names folders that no longer exist after the move.
  await rm(join(from, ".package-lock.json"), { force: true });
  await mkdir(to, { recursive: true });
  for (const name of await packageNames(from)) {
    const target = join(to, name);
    if (await exists(target)) continue;
    await mkdir(dirname(target), { recursive: true });
    await rename(join(from, name), target);
  }
}

async function packageNames(modules: string): Promise<string[]> {
  const names = await readdir(modules);
  const scoped = names.filter((name) => name.startsWith("@"));
  const inScopes = await Promise.all(
    scoped.map(async (scope) => {
      const members = await readdir(join(modules, scope));
      return members.map((name) => join(scope, name));
    }),
  );
  return [...names.filter((name) => !scoped.includes(name)), ...inScopes.flat()];
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** An exact version, also behind an alias, and a full Git commit. */
const PINNED =
  /^(?:npm:(?:@[\w.~-]+\/)?[\w.~-]+@)?=?v?\d+\.\d+\.\d+(?:[-+][\w.+-]+)?$|#[0-9a-f]{40}$/i;
const LOCAL = /^(?:file|link|portal|workspace):|^[.~]{0,2}\//;

/**
 * Reports the dependencies of a plugin whose version is chosen at the time of the install, so that two installs of
 * one release can run different code.
 * @param dir - folder of the plugin before its dependencies are installed
 * @returns one finding, or none
 */
export async function floatingDependencies(dir: string): Promise<InstallFinding[]> {
  const manifest = await readPackage(dir);
  const dependencies = { ...manifest?.dependencies, ...manifest?.optionalDependencies };
  const floating: string[] = [];
  for (const [name, range] of Object.entries(dependencies)) {
    if (isFirstParty(name) || PINNED.test(range) || LOCAL.test(range)) continue;
    // What the archive brings with it does not change.
    if ((await readPackage(join(dir, "node_modules", name))) !== undefined) continue;
    floating.push(`${name} (${range})`);
  }
  const [first] = floating;
  if (first === undefined) return [];
  return [
    {
      ruleId: "floating-dependency",
      severity: "warn",
      file: "package.json",
      line: await lineOf(dir, first.slice(0, first.lastIndexOf(" ("))),
      message: `does not fix the version of ${floating.join(", ")}, so a later install can run other code`,
    },
  ];
}

async function lineOf(dir: string, name: string): Promise<number> {
  const lines = (await readFile(join(dir, "package.json"), "utf8")).split("\n");
  return lines.findLastIndex((line) => line.includes(`${JSON.stringify(name)}:`)) + 1 || 1;
}
