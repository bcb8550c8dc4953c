import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { cp, lstat, mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { basename, join, relative, resolve } from "node:path";
import { promisify } from "node:util";
import { defined, errorMessage } from "@openclaw/foundation";
import { PluginSourceError } from "../errors.js";

const NPM_DEADLINE_MS = 300_000;
const MAXIMUM_BYTES = 256 * 1024 * 1024;
const MAXIMUM_FILES = 20_000;

/** What a plugin is installed from, told apart by how it is written. */
export type PluginSpecifier =
  | { kind: "plugin-dir"; path: string }
  | { kind: "plugin-file"; path: string }
  | { kind: "plugin-archive"; path: string }
  | { kind: "plugin-git"; specifier: string }
  | { kind: "plugin-npm"; specifier: string };

/** A plugin laid out aside, with its dependencies, before anything is decided about it. */
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
  if (text.startsWith("npm:")) return { kind: "plugin-npm", specifier: text.slice("npm:".length) };
  const path = resolve(cwd, text);
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) return { kind: "plugin-dir", path };
  if (found?.isFile()) {
    return { kind: /\.(tgz|tar|tar\.gz)$/.test(path) ? "plugin-archive" : "plugin-file", path };
  }
  if (/^\.{0,2}[\\/]/.test(text) || /\.(tgz|tar\.gz|[cm]?[jt]s)$/.test(text)) {
    throw new PluginSourceError(text, "there is no such file or folder", "check the path");
  }
  return { kind: "plugin-npm", specifier: text };
}

/**
 * Lays a plugin out in a folder of its own. Nothing of it is run: no install script, no module.
 * @param source - where it comes from
 * @param requested - as the operator wrote it
 * @param stagingDir - an existing folder on the disk it will be installed to
 * @throws PluginSourceError when it cannot be fetched, unpacked or completed
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
    case "plugin-dir": {
      const manifest = await readPackage(source.path);
      if (manifest?.name !== undefined) {
        return unpack(await pack(source.path, requested, work), staged);
      }
      await copyFolder(source.path, staged);
      return staged;
    }
    case "plugin-archive":
      return unpack({ file: source.path, integrity: await integrityOf(source.path) }, staged);
    case "plugin-git":
    case "plugin-npm":
      return unpack(await pack(source.specifier, requested, work), staged);
  }
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
  const filter = async (file: string): Promise<boolean> => {
    if (/[\\/](\.git|node_modules[\\/]\.bin)$/.test(file)) return false;
    const found = await lstat(file);
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

async function integrityOf(file: string): Promise<string> {
  return `sha512-${createHash("sha512")
    .update(await readFile(file))
    .digest("base64")}`;
}

interface PackageManifest {
  name?: string;
  version?: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

/** `npm pack` fetches from the registry, git and folders alike, and tells the integrity. */
async function pack(specifier: string, requested: string, work: string): Promise<Archive> {
  // Nothing that the operator wrote is read as an option of npm.
  const args = ["pack", "--json", "--ignore-scripts", "--pack-destination", work, "--", specifier];
  const output = await npm(args, work, requested);
  const [packed] = JSON.parse(output) as { filename: string; integrity: string }[];
  if (packed === undefined) {
    throw new PluginSourceError(requested, "npm packed nothing", "check the name");
  }
  return { file: join(work, packed.filename), integrity: packed.integrity };
}

async function unpack({ file, integrity }: Archive, staged: StagedPlugin): Promise<StagedPlugin> {
  const { extract } = await import("tar");
  let files = 0;
  let bytes = 0;
  let refusal: string | undefined;
  try {
    await extract({
      file,
      cwd: staged.dir,
      strip: 1,
      strict: true,
      filter: (path, entry) => {
        files += 1;
        bytes += entry.size ?? 0;
        if (files > MAXIMUM_FILES || bytes > MAXIMUM_BYTES) refusal = "it is too large";
        if ("type" in entry && !["File", "OldFile", "Directory"].includes(entry.type)) {
          refusal = `${path} is neither a file nor a folder`;
        }
        return refusal === undefined;
      },
    });
  } catch (cause) {
    throw new PluginSourceError(
      staged.requested,
      "the archive cannot be unpacked",
      "pack it again",
      cause,
    );
  }
  if (refusal !== undefined) {
    throw new PluginSourceError(
      staged.requested,
      `the archive is refused: ${refusal}`,
      "pack it again",
    );
  }
  const manifest = await readPackage(staged.dir);
  if (manifest !== undefined) await installDependencies(manifest, staged);
  return {
    ...staged,
    ...defined({ packageName: manifest?.name, packageVersion: manifest?.version }),
    integrity,
  };
}

/** npm looks up development dependencies even where it omits them; an author's need not be published. */
async function installDependencies(
  { name, version, dependencies = {}, optionalDependencies = {} }: PackageManifest,
  { dir, requested }: StagedPlugin,
): Promise<void> {
  if (Object.keys({ ...dependencies, ...optionalDependencies }).length === 0) return;
  const file = join(dir, "package.json");
  const whole = await readFile(file);
  await writeFile(file, JSON.stringify({ name, version, dependencies, optionalDependencies }));
  const options = ["--ignore-scripts", "--legacy-peer-deps", "--no-audit", "--no-fund"];
  await npm(["install", ...options], dir, requested);
  await writeFile(file, whole);
}

async function readPackage(dir: string): Promise<PackageManifest | undefined> {
  try {
    return JSON.parse(await readFile(join(dir, "package.json"), "utf8")) as PackageManifest;
  } catch {
    // A plugin needs no package.json; one that cannot be read is left to the manifest check.
    return undefined;
  }
}

async function npm(args: readonly string[], cwd: string, requested: string): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)("npm", args, {
      cwd,
      timeout: NPM_DEADLINE_MS,
      maxBuffer: 16 * 1024 * 1024,
    });
    return stdout;
  } catch (cause) {
    const { code, stderr } = cause as { code?: unknown; stderr?: string };
    if (code === "ENOENT") {
      throw new PluginSourceError(
        requested,
        "npm is not installed",
        "install Node.js with npm",
        cause,
      );
    }
    const reason = stderr?.match(/npm (?:error|ERR!) (?!code )(.+)/)?.[1] ?? "npm failed";
    throw new PluginSourceError(
      requested,
      reason,
      "check the name, the version and the network",
      cause,
    );
  }
}
