import { type Dirent, readdirSync, type Stats } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, extname, join, resolve, sep } from "node:path";
import { defined, errorMessage } from "@openclaw/foundation";
import type { PluginManifest } from "@openclaw/plugin-sdk/manifest";
import type { PluginOrigin } from "@openclaw/plugin-sdk/plugin-entry";
import type { Bundle } from "../bundles/bundle.js";
import { CLAUDE_FOLDER, readWorkspaceFolder } from "../bundles/workspace-folder.js";
import { realPath, statsOf } from "../files/path.js";
import { bundleManifest, readBundleManifest } from "./bundle-manifest.js";
import { idFromName } from "./derived-id.js";
import type { PluginDiagnostic } from "./diagnostic.js";
import { inspectFolder } from "./folder.js";
import type { HookFile } from "./hook-file.js";
import { type ManifestFile, readManifestFile } from "./manifest-file.js";

/**
 * Places to search for plugins; every path absolute or, for `paths`, relative to the current
 * folder.
 */
export interface PluginSources {
  /** Folders of the bundled packages. */
  readonly bundled?: readonly string[];
  /** Workspace; plugins are in its `.openclaw/extensions`. */
  readonly workspaceDir?: string;
  /** Returns whether plugins of the workspace may be loaded; they may when absent. */
  readonly isWorkspaceTrusted?: (() => boolean) | undefined;
  /** State folder; plugins are in its `extensions`. */
  readonly stateDir?: string;
  /** `plugins.load.paths`: files or folders. */
  readonly paths?: readonly string[];
  /** Paths given for this process only, such as `--plugin`; giving one is consent (D29). */
  readonly extraPaths?: readonly string[];
}

/** A plugin that was found and whose manifest was read; none of its code has run (PLUG-001). */
export interface PluginCandidate {
  readonly id: string;
  readonly origin: PluginOrigin;
  /** Real path of the plugin's folder. */
  readonly rootDir: string;
  /** The code file itself when it was named, otherwise the manifest. */
  readonly source: string;
  readonly manifestPath: string | undefined;
  readonly packageName?: string;
  /** True when the operator named its path. */
  readonly named: boolean;
  /** True when it was named for this process, which is consent (D29). */
  readonly consented: boolean;
  /** Absent when it cannot be used; the diagnostics give the reason. */
  readonly manifest: PluginManifest | undefined;
  /** True when the manifest has no id, so that it was derived from a name. */
  readonly hasDerivedId?: boolean;
  /** Set for a hook folder, whose module exports a handler. */
  readonly hookFile?: HookFile | undefined;
  /** Set for a bundle of another tool, which has files instead of a module. */
  readonly bundle?: Bundle;
  readonly diagnostics: readonly PluginDiagnostic[];
}

/** Result of a search, in the order of origins. */
export interface Discovery {
  readonly candidates: readonly PluginCandidate[];
  /** Diagnostics about places rather than single plugins. */
  readonly diagnostics: readonly PluginDiagnostic[];
}

/** Folder or file to read a plugin from. */
export interface Place {
  /** Real path; the given path where nothing exists. */
  readonly path: string;
  readonly origin: PluginOrigin;
  readonly named: boolean;
  readonly consented: boolean;
}

const CODE_FILE = /(?<!\.d)\.(?:[cm]?[jt]s|json)$/;

/**
 * Finds plugins and reads their manifests, without running any of their code (PLUG-001 to PLUG-004).
 * @param sources - places to search
 */
export function discoverPlugins(sources: PluginSources): Discovery {
  const diagnostics: PluginDiagnostic[] = [];
  const places = oncePerPath(collectPlaces(sources, diagnostics));
  const candidates: PluginCandidate[] = [];
  for (const place of places) {
    const found = readPlace(place);
    if ("candidates" in found) candidates.push(...found.candidates);
    else diagnostics.push(found);
  }
  candidates.push(...claudeFolder(sources));
  return { candidates, diagnostics };
}

/** `.claude/` of a trusted workspace is a plugin of the workspace, which is off until it is enabled (EXT-549). */
function claudeFolder({ workspaceDir, isWorkspaceTrusted }: PluginSources): PluginCandidate[] {
  const isTrusted = isWorkspaceTrusted?.() ?? true;
  const root = isTrusted && workspaceDir && realPath(join(workspaceDir, CLAUDE_FOLDER));
  const bundle = root ? readWorkspaceFolder(root) : undefined;
  if (!root || bundle === undefined) return [];
  const place = { path: root, origin: "workspace" as const, named: false, consented: false };
  return [candidate(place, root, statsOf(root), bundleManifest(bundle, root))];
}

function collectPlaces(sources: PluginSources, diagnostics: PluginDiagnostic[]): Place[] {
  const { workspaceDir, stateDir } = sources;
  const isTrusted = sources.isWorkspaceTrusted?.() ?? true;
  const workspace =
    isTrusted && workspaceDir && realPath(join(workspaceDir, ".openclaw", "extensions"));
  const global = stateDir && realPath(join(stateDir, "extensions"));
  const unnamed = { named: false, consented: false };
  const places: Place[] = [];
  for (const path of sources.bundled ?? []) {
    places.push({ path: expand(path), origin: "bundled", ...unnamed });
  }
  // A workspace that is the home folder shares its plugins with the host: they are global.
  for (const path of workspace && workspace !== global ? foldersIn(workspace, diagnostics) : []) {
    places.push({ path, origin: "workspace", ...unnamed });
  }
  for (const path of global ? foldersIn(global, diagnostics) : []) {
    places.push({ path, origin: "global", ...unnamed });
  }
  for (const path of sources.paths ?? []) {
    places.push({ path: expand(path), origin: "config", named: true, consented: false });
  }
  for (const path of sources.extraPaths ?? []) {
    places.push({ path: expand(path), origin: "config", named: true, consented: true });
  }
  return places;
}

/** A place counts once; naming it again marks the first finding as named by the operator. */
function oncePerPath(places: readonly Place[]): Place[] {
  const byPath = new Map<string, Place>();
  for (const place of places) {
    const first = byPath.get(place.path);
    if (first === undefined) {
      byPath.set(place.path, place);
      continue;
    }
    const named = first.named || place.named;
    byPath.set(place.path, { ...first, named, consented: first.consented || place.consented });
  }
  return [...byPath.values()];
}

function readPlace(place: Place): { candidates: PluginCandidate[] } | PluginDiagnostic {
  const stats = statsOf(place.path);
  if (typeof stats === "string") return unusablePlace(place, stats);
  if (!stats.isDirectory()) return { candidates: [readCodeFile(place)] };
  const file = readPluginFolder(place.path);
  if (file !== undefined) return { candidates: [candidate(place, place.path, stats, file)] };
  const inner = place.origin === "config" ? foldersIn(place.path, []) : [];
  const candidates = inner.flatMap((path) => {
    const manifest = readPluginFolder(path);
    return manifest === undefined
      ? []
      : [candidate({ ...place, path }, path, statsOf(path), manifest)];
  });
  return candidates.length > 0 ? { candidates } : missingManifest(place.path);
}

/**
 * Reads the manifest of a plugin's folder, or the bundle of another tool. The manifest of this host counts first; a
 * `manifest.json` may belong to another tool.
 * @param folder - real path of the folder
 * @returns undefined for a folder with neither
 */
export function readPluginFolder(folder: string): ManifestFile | undefined {
  const file = readManifestFile(folder);
  const isOwn = file?.manifest !== undefined || basename(file?.path ?? "") !== "manifest.json";
  return file !== undefined && isOwn ? file : (readBundleManifest(folder) ?? file);
}

function unusablePlace({ path, origin }: Place, reason: string): PluginDiagnostic {
  return {
    level: "error",
    code: "path-missing",
    message: `${path} ${reason}, so no plugin was loaded from it`,
    source: path,
    hint:
      origin === "bundled"
        ? "install the package again"
        : "correct or remove the path in plugins.load.paths or --plugin",
  };
}

function missingManifest(folder: string): PluginDiagnostic {
  return {
    level: "warn",
    code: "manifest-missing",
    message: `${folder} has no plugin manifest: no openclaw.plugin.json, manifest.json or "openclaw" block in package.json`,
    source: folder,
    hint: `write ${join(folder, "openclaw.plugin.json")} with { "id": "${idFromName(basename(folder))}" }`,
  };
}

/** A code file belongs to the manifest next to it; without one its id is the file name. */
function readCodeFile(place: Place): PluginCandidate {
  const folder = dirname(place.path);
  const file = readManifestFile(folder) ?? derivedManifest(place.path);
  const found = candidate(place, folder, statsOf(folder), file);
  if (CODE_FILE.test(place.path)) return { ...found, source: place.path };
  const diagnostic: PluginDiagnostic = {
    level: "error",
    code: "entry-missing",
    message: `${place.path} is not a code file: expected .ts, .mts, .cts, .js, .mjs, .cjs or .json`,
    pluginId: found.id,
    source: place.path,
    hint: "name the plugin's folder or its entry file",
  };
  return { ...found, manifest: undefined, diagnostics: [...found.diagnostics, diagnostic] };
}

function derivedManifest(path: string): ManifestFile {
  const id = idFromName(basename(path, extname(path)));
  return {
    path,
    derived: true,
    manifest: { id },
    diagnostics: [
      {
        level: "info",
        code: "manifest-derived",
        message: `${path} has no manifest next to it, so its id is its name, "${id}"`,
        source: path,
        hint: `write openclaw.plugin.json with { "id": "${id}" } next to it to publish or configure it`,
      },
    ],
  };
}

/**
 * Returns the plugin of a manifest, after a check of its folder (PLUG-009).
 * @param place - place where it was found
 * @param rootDir - real path of its folder
 * @param stats - file status of the folder, or the error message
 */
export function candidate(
  place: Place,
  rootDir: string,
  stats: Stats | string,
  file: ManifestFile,
): PluginCandidate {
  const unsafe = inspectFolder(rootDir, stats, place.origin === "bundled");
  const id = file.manifest?.id ?? idFromName(basename(rootDir));
  const diagnostics = unsafe === undefined ? file.diagnostics : [...file.diagnostics, unsafe];
  return {
    id,
    origin: place.origin,
    rootDir,
    source: file.path,
    manifestPath: file.derived ? undefined : file.path,
    ...defined({ packageName: file.packageName, hasDerivedId: file.hasDerivedId }),
    ...defined({ bundle: file.bundle }),
    named: place.named,
    consented: place.consented,
    manifest: unsafe?.level === "error" ? undefined : file.manifest,
    diagnostics: diagnostics.map((diagnostic) => ({ ...diagnostic, pluginId: id })),
  };
}

/**
 * Returns the folders in a folder of real path, by name; those of a scope (`@acme`) are one level
 * deeper.
 * @param folder - real path
 * @param diagnostics - receives what cannot be read
 * @param inScope - true for the folder of a scope
 */
export function foldersIn(
  folder: string,
  diagnostics: PluginDiagnostic[],
  inScope = false,
): string[] {
  return childrenOf(folder, diagnostics).flatMap((child) => {
    const path = `${folder}${sep}${child.name}`;
    if (!leadsToFolder(child, path)) {
      if (CODE_FILE.test(child.name)) diagnostics.push(missingManifest(path));
      return [];
    }
    const real = child.isSymbolicLink() ? (realPath(path) ?? path) : path;
    const isScope = child.name.startsWith("@") && !inScope;
    return isScope ? foldersIn(real, diagnostics, true) : [real];
  });
}

function childrenOf(folder: string, diagnostics: PluginDiagnostic[]): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter(({ name }) => !name.startsWith(".") && name !== "node_modules")
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    diagnostics.push({
      level: "error",
      code: "path-unreadable",
      message: `${folder} cannot be searched for plugins: ${errorMessage(error)}`,
      source: folder,
      hint: "let this user read the folder, or remove it",
    });
    return [];
  }
}

function leadsToFolder(child: Dirent, path: string): boolean {
  if (!child.isSymbolicLink()) return child.isDirectory();
  const stats = statsOf(path);
  return typeof stats !== "string" && stats.isDirectory();
}

function expand(path: string): string {
  const home = path === "~" || path.startsWith("~/");
  const absolute = home ? join(homedir(), path.slice(1)) : resolve(path);
  return realPath(absolute) ?? absolute;
}
