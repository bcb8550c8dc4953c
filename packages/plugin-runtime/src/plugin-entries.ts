import { readFileSync, statSync } from "node:fs";
import { basename, extname, join, resolve } from "node:path";
import type { PluginCandidate } from "./discover.js";
import { PluginLoadError } from "./errors.js";
import { exportTarget } from "./package-exports.js";
import { isInside, realPath } from "./plugin-folder.js";

/** Entry files that need no mention, best first. */
const DEFAULT_ENTRIES = ["ts", "mts", "js", "mjs", "cjs", "json"].map(
  (ending) => `index.${ending}`,
);

/** One module of a plugin that is to be loaded. */
export interface PluginEntryFile {
  /** The plugin's id; `<id>/<file name>` when the plugin has several entries (PLUG-008). */
  readonly id: string;
  /** Real path. */
  readonly file: string;
}

/**
 * Finds the modules of a plugin: those of the manifest, of the package, or `index.*` (PLUG-008).
 * @param candidate - the plugin as it was found
 * @throws PluginLoadError when a module is missing or lies outside the plugin's folder
 */
export function findEntries(candidate: PluginCandidate): PluginEntryFile[] {
  const { id } = candidate;
  const files = entryFiles(candidate).map((file) => checkedFile(candidate, file));
  const [first, ...more] = files;
  if (first === undefined) throw noEntry(candidate);
  if (more.length === 0) return [{ id, file: first }];
  return files.map((file) => ({ id: `${id}/${basename(file, extname(file))}`, file }));
}

function entryFiles({ source, manifestPath, rootDir, manifest }: PluginCandidate): string[] {
  if (source !== manifestPath) return [source];
  const declared = asList(manifest?.entry);
  if (declared.length > 0) return declared;
  const fields = readPackage(rootDir);
  const block = asObject(fields.openclaw ?? fields.clawdbot);
  // A package may name a build that was not made yet; its sources stand in for it.
  const built = asList(block.runtimeExtensions).filter((file) => isFile(join(rootDir, file)));
  if (built.length > 0) return built;
  const sources = asList(block.extensions);
  if (sources.length > 0) return sources;
  const main = mainOf(fields);
  if (main !== undefined) return [main];
  const found = DEFAULT_ENTRIES.find((file) => isFile(join(rootDir, file)));
  return found === undefined ? [] : [found];
}

function mainOf({ exports, main }: Record<string, unknown>): string | undefined {
  const root = asObject(exports);
  const target = Object.keys(root).some((key) => key.startsWith(".")) ? root["."] : exports;
  return exportTarget(target) ?? (typeof main === "string" ? main : undefined);
}

function checkedFile(candidate: PluginCandidate, entry: string): string {
  const { id, rootDir } = candidate;
  const path = resolve(rootDir, entry);
  const file = realPath(path);
  if (file === undefined || !isFile(file)) {
    throw new PluginLoadError({
      pluginId: id,
      problem: "entry-missing",
      message: `its entry ${path} does not exist`,
      hint: "build the plugin, or correct the entry in its manifest or package.json",
      file: candidate.source,
    });
  }
  if (isInside(file, rootDir)) return file;
  throw new PluginLoadError({
    pluginId: id,
    problem: "entry-unsafe",
    message: `its entry ${path} is really ${file}, outside the plugin's folder ${rootDir}`,
    hint: "put the file into the plugin's folder; links that lead out of it are not followed",
    file: candidate.source,
  });
}

function noEntry({ id, rootDir, source }: PluginCandidate): PluginLoadError {
  return new PluginLoadError({
    pluginId: id,
    problem: "entry-missing",
    message: `${rootDir} has no entry: no "entry" in the manifest, none in package.json, and none of ${DEFAULT_ENTRIES.join(", ")}`,
    hint: 'add "entry": "<file>" to its manifest',
    file: source,
  });
}

function readPackage(rootDir: string): Record<string, unknown> {
  try {
    return asObject(JSON.parse(readFileSync(join(rootDir, "package.json"), "utf8")));
  } catch {
    return {};
  }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

function asList(value: unknown): string[] {
  const list: unknown[] = Array.isArray(value) ? value : [value];
  return list.filter((item) => typeof item === "string");
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
