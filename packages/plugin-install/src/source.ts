import { existsSync } from "node:fs";
import { cp, lstat, mkdir, mkdtemp, rm, stat } from "node:fs/promises";
import { basename, join, relative, resolve } from "node:path";
import { defined, errorMessage } from "@openclaw/foundation";
import { isInside } from "@openclaw/plugin-discovery";
import { addLeftOutFiles } from "./archive/left-out-files.js";
import { integrityOf, UNPACK_LIMITS, unpackArchive } from "./archive/unpack.js";
import { PluginSourceError } from "./errors.js";
import { isFirstParty, registryName } from "./first-party.js";
import { checkOutRepository } from "./git-source.js";
import type { NetworkPort } from "./marketplaces/repository-url.js";
import { prepareNpmFolder, runNpm } from "./npm.js";
import { readPackage } from "./package-manifest.js";
import { stagePrefix } from "./staging-sweep.js";

/**
 * Matches a package name, optionally with a version, range or tag: everything that npm accepts from a
 * registry except archive URLs.
 */
const REGISTRY_NAME = /^(?:@[\w.~-]+\/)?[\w.~-]+(?:@[\w.~^<>=|*+\- ]*)?$/;
const ARCHIVE_URL = /^https?:\/\/[^#]+\.(?:tgz|tar\.gz)$/;
const GIT_ADDRESS =
  /^(?:git\+|git:|git@|ssh:|github:|gitlab:|bitbucket:)|^[\w-][\w.-]*\/[\w.-]+(?:#.*)?$|^https?:\/\//;

/** Source of a plugin, determined by the form of its specifier. */
export type PluginSpecifier =
  /** A package of this project, which the installation contains or not. */
  { kind: "first-party"; name: string } | StageableSpecifier;

/** Source that can be unpacked. */
export type StageableSpecifier =
  | {
      kind: "plugin-dir";
      path: string;
      /** True to copy the folder as it is, also when it is a package. */
      copied?: boolean;
    }
  | { kind: "plugin-file"; path: string }
  | { kind: "plugin-archive"; path: string }
  | {
      kind: "plugin-git";
      specifier: string;
      /** True for a repository that a marketplace names: it passes the network check and is not redirected. */
      checked?: boolean;
      /** Folder of the plugin in the repository. */
      subfolder?: string;
    }
  | { kind: "plugin-npm"; specifier: string };

/** Plugin that was unpacked into a staging folder without its dependencies, before any check. */
export interface StagedPlugin {
  /** The plugin's folder. */
  readonly dir: string;
  readonly kind: StageableSpecifier["kind"];
  /** Specifier as the operator wrote it. */
  readonly requested: string;
  readonly packageName?: string | undefined;
  readonly packageVersion?: string | undefined;
  /** Subresource integrity of the plugin's archive. */
  readonly integrity?: string | undefined;
  /** Manifest and entry modules that a release of the folder on npm would lack. */
  readonly leftOut?: readonly string[] | undefined;
}

/**
 * Determines the kind of a plugin's source: an existing file or folder, a git URL, or a name in the npm
 * registry.
 * @param text - specifier, for example `./my-plugin`, `my-plugin.tgz`, `git+https://…`, `@scope/name@1.2.3`
 * @param cwd - base folder of relative paths
 */
export async function parsePluginSpecifier(text: string, cwd: string): Promise<PluginSpecifier> {
  if (text.startsWith("clawhub:")) throw fromClawHub(text);
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
    throw new PluginSourceError(text, "the file or folder does not exist", "check the path");
  }
  if (GIT_ADDRESS.test(text) && !ARCHIVE_URL.test(text)) {
    return { kind: "plugin-git", specifier: text };
  }
  return fromRegistry(text, text);
}

/** ClawHub serves plugins for another host, over its own protocol. */
function fromClawHub(text: string): PluginSourceError {
  const name = registryName(text.slice("clawhub:".length));
  const elsewhere = name === undefined ? "its npm name" : `\`npm:${name}\``;
  return new PluginSourceError(
    text,
    "this host does not read the ClawHub registry",
    `if its author also publishes it to npm, install ${elsewhere}; otherwise download it, and install the folder or archive`,
  );
}

/** Rejects options, files and git URLs, which npm would also accept here but which are handled elsewhere. */
function fromRegistry(specifier: string, requested: string): PluginSpecifier {
  const name = registryName(specifier);
  if (name !== undefined && isFirstParty(name)) return { kind: "first-party", name };
  const isName = REGISTRY_NAME.test(specifier) && !specifier.startsWith("-");
  if (isName || ARCHIVE_URL.test(specifier)) return { kind: "plugin-npm", specifier };
  throw new PluginSourceError(
    requested,
    "it is neither a package name, a git URL nor a file",
    "see `openclaw plugins install --help`",
  );
}

/**
 * Unpacks a plugin into a staging folder. Nothing of it is executed, no install script and no module, and its
 * dependencies are not fetched yet.
 * @param source - source of the plugin
 * @param requested - specifier as the operator wrote it
 * @param stagingDir - existing folder on the disk of the install
 * @param network - network check for repositories that a marketplace names
 * @throws PluginSourceError when it cannot be fetched or unpacked
 */
export async function stagePlugin(
  source: StageableSpecifier,
  requested: string,
  stagingDir: string,
  network?: NetworkPort,
): Promise<StagedPlugin> {
  const work = await mkdtemp(join(stagingDir, stagePrefix()));
  const staged = { dir: join(work, "plugin"), kind: source.kind, requested };
  try {
    await mkdir(staged.dir);
    return await layOut(source, staged, work, network);
  } catch (error) {
    await discardStaged(staged);
    throw error;
  }
}

async function layOut(
  source: StageableSpecifier,
  staged: StagedPlugin,
  work: string,
  network: NetworkPort | undefined,
): Promise<StagedPlugin> {
  const { dir, requested } = staged;
  switch (source.kind) {
    case "plugin-file":
      await cp(source.path, join(dir, basename(source.path)));
      return staged;
    case "plugin-dir":
      return layOutFolder(source.path, staged, work, source.copied);
    case "plugin-archive":
      return unpack({ file: source.path, integrity: await integrityOf(source.path) }, staged);
    case "plugin-git": {
      const checkout = join(work, "checkout");
      const isChecked = source.checked === true && network !== undefined;
      const checked = isChecked ? { network } : undefined;
      await checkOutRepository(source.specifier, checkout, requested, checked);
      const folder = await folderIn(checkout, source.subfolder, requested);
      return layOutFolder(folder, staged, work, source.checked);
    }
    case "plugin-npm":
      return unpack(await pack(source.specifier, requested, work), staged);
  }
}

/** Returns a folder of a checkout, which contains no links. */
async function folderIn(
  checkout: string,
  subfolder: string | undefined,
  requested: string,
): Promise<string> {
  if (subfolder === undefined) return checkout;
  const folder = join(checkout, subfolder);
  const found = await stat(folder).catch(() => undefined);
  if (found?.isDirectory() === true && isInside(folder, checkout)) return folder;
  throw new PluginSourceError(
    requested,
    `the repository has no folder ${subfolder}`,
    "ask the owner of the marketplace to correct the path",
  );
}

async function layOutFolder(
  from: string,
  staged: StagedPlugin,
  work: string,
  copied = false,
): Promise<StagedPlugin> {
  const manifest = await readPackage(from);
  // A bundle consists of its files, of which a package that is also published may leave some out.
  const isBundle = copied && !existsSync(join(from, "openclaw.plugin.json"));
  if (manifest?.name === undefined || isBundle) {
    await copyFolder(from, staged);
    return staged;
  }
  const unpacked = await unpack(await pack(from, staged.requested, work), staged);
  return { ...unpacked, leftOut: await addLeftOutFiles(from, staged.dir, manifest) };
}

/**
 * Deletes a staged plugin.
 * @param staged - plugin that was moved into place or rejected
 */
export function discardStaged(staged: StagedPlugin): Promise<void> {
  return rm(join(staged.dir, ".."), { recursive: true, force: true });
}

/** Copies a folder without links, as npm does, so that all installed files are inside the plugin's folder. */
async function copyFolder(from: string, { dir, requested }: StagedPlugin): Promise<void> {
  let entries = 0;
  let bytes = 0;
  const filter = async (file: string): Promise<boolean> => {
    if (/[\\/](\.git|\.openclaw-state|node_modules[\\/]\.bin)$/.test(file)) return false;
    const found = await lstat(file);
    entries += 1;
    bytes += found.isFile() ? found.size : 0;
    if (entries > UNPACK_LIMITS.entries || bytes > UNPACK_LIMITS.bytes) {
      throw new PluginSourceError(
        requested,
        "the folder is too large",
        "install a release instead",
      );
    }
    if (found.isFile() || found.isDirectory()) return true;
    throw new PluginSourceError(
      requested,
      `${relative(from, file)} is neither a file nor a folder`,
      "replace it with a file or folder",
    );
  };
  try {
    await cp(from, dir, { recursive: true, filter });
  } catch (cause) {
    if (PluginSourceError.isInstance(cause)) throw cause;
    const reason = errorMessage(cause);
    throw new PluginSourceError(
      requested,
      `cannot copy the folder (${reason})`,
      "make it readable; it must not contain the state folder",
      cause,
    );
  }
}

interface Archive {
  readonly file: string;
  readonly integrity: string;
}

/**
 * Packs a package with `npm pack`, which handles both registry names and folders and reports the integrity.
 */
async function pack(specifier: string, requested: string, work: string): Promise<Archive> {
  const cwd = join(work, "npm");
  await prepareNpmFolder(cwd, { name: "plugin-download" });
  // `--` prevents npm from reading the operator's text as an option.
  const args = ["pack", "--json", "--ignore-scripts", "--pack-destination", work, "--", specifier];
  const output = await runNpm(args, { cwd, requested, allowed: ["file", "url"] });
  const [packed] = JSON.parse(output) as { filename: string; integrity: string }[];
  if (packed === undefined) {
    throw new PluginSourceError(requested, "`npm pack` produced no archive", "check the name");
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
