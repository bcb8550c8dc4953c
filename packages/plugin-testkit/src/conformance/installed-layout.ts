import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { findPackageJSON } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import packlist from "npm-packlist";
import { valid } from "semver";
import { PackingError } from "../errors.js";

interface PackageManifest {
  readonly name?: string;
  readonly version?: string;
  readonly bin?: string | Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/**
 * Installs a package as its users get it: below `node_modules`, with the files that npm would pack,
 * and links to its declared dependencies; nothing else can be imported from there.
 * @param path - the package's folder
 * @param folder - an empty folder
 * @returns the package's folder below `node_modules`, or the reason that there is none
 * @throws PackingError when npm cannot list the files
 */
export async function layOutAsInstalled(
  path: string,
  folder: string,
): Promise<{ path: string } | { skipped: string }> {
  const manifestFile = join(path, "package.json");
  if (!statSync(path).isDirectory() || !existsSync(manifestFile)) {
    return { skipped: "it has no package.json, so it is installed by copying its folder" };
  }
  const manifest = JSON.parse(readFileSync(manifestFile, "utf8")) as PackageManifest;
  if (manifest.name === undefined) return { skipped: "its package.json has no name" };
  const modules = join(folder, "node_modules");
  const target = join(modules, manifest.name);
  for (const file of await packedFiles(path, manifest)) {
    mkdirSync(dirname(join(target, file)), { recursive: true });
    cpSync(join(path, file), join(target, file));
  }
  const declared = {
    ...manifest.dependencies,
    ...manifest.optionalDependencies,
    ...manifest.peerDependencies,
  };
  for (const name of Object.keys(declared)) linkDependency(name, manifestFile, modules);
  return { path: target };
}

/** A dependency that is not installed is omitted; the import that needs it fails. */
function linkDependency(name: string, manifestFile: string, modules: string): void {
  const found = installedPackage(name, manifestFile);
  if (found === undefined) return;
  const link = join(modules, name);
  mkdirSync(dirname(link), { recursive: true });
  symlinkSync(realpathSync(dirname(found)), link, "dir");
}

/** Node throws for a package that is not installed, such as the host as a peer. */
function installedPackage(name: string, manifestFile: string): string | undefined {
  try {
    return findPackageJSON(name, pathToFileURL(manifestFile));
  } catch {
    return undefined;
  }
}

/**
 * Returns the paths of the files that npm would put into the package's archive, from the library of npm that lists them:
 * npm itself takes a second for it. Bundled dependencies are not listed; they are linked as the others are.
 */
async function packedFiles(path: string, manifest: PackageManifest): Promise<string[]> {
  const { bin } = manifest;
  try {
    if (valid(manifest.version, { loose: true }) === null) {
      throw new Error("package.json has no valid version");
    }
    return await packlist({
      path,
      package: {
        ...manifest,
        ...(typeof bin === "string" ? { bin: { program: bin } } : {}),
        bundleDependencies: [],
      },
      isProjectRoot: true,
      edgesOut: new Map(),
    });
  } catch (cause) {
    throw new PackingError(path, cause);
  }
}
