import { cp, lstat, mkdir, mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { basename, join, relative, resolve } from "node:path";
import { defined, errorMessage } from "@openclaw/foundation";
import { PluginSourceError } from "../errors.js";
import { checkOutRepository } from "./git-source.js";
import { prepareNpmFolder, runNpm } from "./npm.js";
import { integrityOf, UNPACK_LIMITS, unpackArchive } from "./unpack.js";

/** A name, with a version, range or tag behind it, or a URL of an archive: all that npm takes from a registry. */
const REGISTRY_NAME = /^(?:@[\w.~-]+\/)?[\w.~-]+(?:@[\w.~^<>=|*+\- ]*)?$/;
const ARCHIVE_URL = /^https?:\/\/[^#]+\.(?:tgz|tar\.gz)$/;
const GIT_ADDRESS =
  /^(?:git\+|git:|git@|ssh:|github:|gitlab:|bitbucket:)|^[\w-][\w.-]*\/[\w.-]+(?:#.*)?$|^https?:\/\//;

/** What a plugin is installed from, told apart by how it is written. */
export type PluginSpecifier =
  | { kind: "plugin-dir"; path: string }
  | { kind: "plugin-file"; path: string }
  | { kind: "plugin-archive"; path: string }
  | { kind: "plugin-git"; specifier: string }
  | { kind: "plugin-npm"; specifier: string };

/** A plugin unpacked into a folder of its own, without its dependencies, before anything is decided about it. */
export interface StagedPlugin {
  /** The plugin's folder. */
  readonly dir: string;
  readonly kind: PluginSpecifier["kind"];
  /** As the operator wrote it. */
  readonly requested: string;
  readonly packageName?: string | undefined;
  readonly packageVersion?: string | undefined;
  /** Subresource integrity of the archive it came in. */
  readonly integrity?: string | undefined;
}

/**
 * Tells what kind of source a text names: an existing file or folder, a git address, or a name in the
 * npm registry.
 * @param text - for example `./my-plugin`, `my-plugin.tgz`, `git+https://…`, `@scope/name@1.2.3`
 * @param cwd - folder that relative paths start at
 */
export async function parsePluginSpecifier(text: string, cwd: string): Promise<PluginSpecifier> {
  if (/^(git\+|git:|github:|gitlab:|bitbucket:)/.test(text))
    return { kind: "plugin-git", specifier: text };
  if (text.startsWith("npm:")) return fromRegistry(text.slice("npm:".length), text);
  const path = resolve(cwd, text);
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) return { kind: "plugin-dir", path };
  if (found?.isFile()) {
    return { kind: /\.(tgz|tar|tar\.gz)$/.test(path) ? "plugin-archive" : "plugin-file", path };
  }
  const isUrl = /^https?:\/\//.test(text);
  if (/^\.{0,2}[\\/]/.test(text) || (!isUrl && /\.(tgz|tar\.gz|[cm]?[jt]s)$/.test(text))) {
    throw new PluginSourceError(text, "there is no such file or folder", "check the path");
  }
  if (GIT_ADDRESS.test(text) && !ARCHIVE_URL.test(text)) {
    return { kind: "plugin-git", specifier: text };
  }
  return fromRegistry(text, text);
}

/** npm would also take options, files and git addresses from this text, which go other ways here. */
function fromRegistry(specifier: string, requested: string): PluginSpecifier {
  const isName = REGISTRY_NAME.test(specifier) && !specifier.startsWith("-");
  if (isName || ARCHIVE_URL.test(specifier)) return { kind: "plugin-npm", specifier };
  throw new PluginSourceError(
    requested,
    "it is not a name of the npm registry, a git address or a file",
    "see `openclaw plugins install --help` for the forms",
  );
}

/**
 * Unpacks a plugin into a folder of its own. Nothing of it is run: no install script, no module, and its
 * dependencies are not fetched yet.
 * @param source - where it comes from
 * @param requested - as the operator wrote it
 * @param stagingDir - an existing folder on the disk it will be installed to
 * @throws PluginSourceError when it cannot be fetched or unpacked
 */
export async function stagePlugin(
  source: PluginSpecifier,
  requested: string,
  stagingDir: string,
): Promise<StagedPlugin> {
  const work = await mkdtemp(join(stagingDir, "stage-"));
  const staged = { dir: join(work, "plugin"), kind: source.kind, requested };
  try {
    await mkdir(staged.dir);
    return await layOut(source, staged, work);
  } catch (error) {
    await discardStaged(staged);
    throw error;
  }
}

async function layOut(
  source: PluginSpecifier,
  staged: StagedPlugin,
  work: string,
): Promise<StagedPlugin> {
  const { dir, requested } = staged;
  switch (source.kind) {
    case "plugin-file":
      await cp(source.path, join(dir, basename(source.path)));
      return staged;
    case "plugin-dir":
      return layOutFolder(source.path, staged, work);
    case "plugin-archive":
      return unpack({ file: source.path, integrity: await integrityOf(source.path) }, staged);
    case "plugin-git": {
      const checkout = join(work, "checkout");
      await checkOutRepository(source.specifier, checkout, requested);
      return layOutFolder(checkout, staged, work);
    }
    case "plugin-npm":
      return unpack(await pack(source.specifier, requested, work), staged);
  }
}

async function layOutFolder(
  from: string,
  staged: StagedPlugin,
  work: string,
): Promise<StagedPlugin> {
  const manifest = await readPackage(from);
  if (manifest?.name !== undefined) return unpack(await pack(from, staged.requested, work), staged);
  await copyFolder(from, staged);
  return staged;
}

/**
 * Deletes what was staged.
 * @param staged - a plugin that was installed elsewhere or refused
 */
export function discardStaged(staged: StagedPlugin): Promise<void> {
  return rm(join(staged.dir, ".."), { recursive: true, force: true });
}

/** npm copies no links out of a package, and here too what is installed lies in the plugin's folder. */
async function copyFolder(from: string, { dir, requested }: StagedPlugin): Promise<void> {
  let entries = 0;
  let bytes = 0;
  const filter = async (file: string): Promise<boolean> => {
    if (/[\\/](\.git|node_modules[\\/]\.bin)$/.test(file)) return false;
    const found = await lstat(file);
    entries += 1;
    bytes += found.isFile() ? found.size : 0;
    if (entries > UNPACK_LIMITS.entries || bytes > UNPACK_LIMITS.bytes) {
      throw new PluginSourceError(requested, "the folder is too large", "install a release of it");
    }
    if (found.isFile() || found.isDirectory()) return true;
    throw new PluginSourceError(
      requested,
      `${relative(from, file)} is neither a file nor a folder`,
      "replace it by what it stands for",
    );
  };
  try {
    await cp(from, dir, { recursive: true, filter });
  } catch (cause) {
    if (PluginSourceError.isInstance(cause)) throw cause;
    const reason = errorMessage(cause);
    throw new PluginSourceError(
      requested,
      `the folder cannot be copied (${reason})`,
      "make it readable, and keep the state folder out of it",
      cause,
    );
  }
}

interface Archive {
  readonly file: string;
  readonly integrity: string;
}

/** The part of a `package.json` that an install reads. */
export interface PackageManifest {
  readonly name?: string;
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** `npm pack` fetches from the registry and packs folders alike, and tells the integrity. */
async function pack(specifier: string, requested: string, work: string): Promise<Archive> {
  const cwd = join(work, "npm");
  await prepareNpmFolder(cwd, { name: "plugin-download" });
  // Nothing that the operator wrote is read as an option of npm.
  const args = ["pack", "--json", "--ignore-scripts", "--pack-destination", work, "--", specifier];
  const output = await runNpm(args, { cwd, requested, allowed: ["file", "url"] });
  const [packed] = JSON.parse(output) as { filename: string; integrity: string }[];
  if (packed === undefined) {
    throw new PluginSourceError(requested, "npm packed nothing", "check the name");
  }
  return { file: join(work, packed.filename), integrity: packed.integrity };
}

async function unpack({ file, integrity }: Archive, staged: StagedPlugin): Promise<StagedPlugin> {
  await unpackArchive(file, staged.dir, staged.requested);
  const manifest = await readPackage(staged.dir);
  return {
    ...staged,
    ...defined({ packageName: manifest?.name, packageVersion: manifest?.version }),
    integrity,
  };
}

/**
 * Reads the `package.json` of a folder.
 * @param dir - absolute path
 * @returns undefined without one; a file that holds no object is left to the manifest check
 */
export async function readPackage(dir: string): Promise<PackageManifest | undefined> {
  try {
    const read: unknown = JSON.parse(await readFile(join(dir, "package.json"), "utf8"));
    return typeof read === "object" && read !== null ? read : undefined;
  } catch {
    return undefined;
  }
}
