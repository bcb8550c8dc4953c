import { lstatSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, extname, join, resolve } from "node:path";
import { isInside, type PluginCandidate, realPath, statsOf } from "@openclaw/plugin-discovery";
import { PluginLoadError } from "../errors.js";
import { exportTarget } from "./package-exports.js";

/** Default entry files, in order of preference. */
const DEFAULT_ENTRIES = ["ts", "mts", "js", "mjs", "cjs", "json"].map(
  (ending) => `index.${ending}`,
);

/** Module of a plugin to load. */
export interface PluginEntryFile {
  /** Id of the plugin; `<id>/<file name>` when the plugin has several entries (PLUG-008). */
  readonly id: string;
  /** Real path of the module. */
  readonly file: string;
  /** Missing build output that the manifest names; `file` is its source. */
  readonly unbuilt?: string;
}

/** Output folders of builds; the source of an output has the same name, next to the folder or in `src`. */
const BUILT = /^(?:\.\/)?(?:dist|build|lib|out)\/(.+)\.([cm]?)js$/;

/**
 * Returns the modules of a plugin: those of the manifest, of the package, or `index.*` (PLUG-008).
 * @param candidate - the discovered plugin
 * @throws PluginLoadError when a module is missing or is outside the plugin's folder
 */
export function findEntries(candidate: PluginCandidate): PluginEntryFile[] {
  const { id } = candidate;
  const [only, ...more] = entryFiles(candidate);
  if (only === undefined) throw noEntry(candidate);
  if (more.length === 0) return [{ id, ...checkedFile(candidate, only) }];
  const entries = [only, ...more].map((entry) => {
    const found = checkedFile(candidate, entry);
    return { id: `${id}/${basename(found.file, extname(found.file))}`, ...found };
  });
  refuseTwins(candidate, entries);
  return entries;
}

function entryFiles({ source, manifestPath, rootDir, manifest }: PluginCandidate): string[] {
  if (source !== manifestPath) return [source];
  const declared = asList(manifest?.entry);
  if (declared.length > 0) return declared;
  const fields = readPackage(rootDir);
  const block = asObject(fields.openclaw ?? fields.clawdbot ?? fields.moltbot);
  // A package may name a build output that does not exist yet; its source is used instead.
  const built = asList(block.runtimeExtensions).filter((file) => isFile(join(rootDir, file)));
  if (built.length > 0) return built;
  const sources = asList(block.extensions);
  if (sources.length > 0) return sources;
  const main = mainOf(fields);
  const candidates = main === undefined ? DEFAULT_ENTRIES : [main, ...DEFAULT_ENTRIES];
  const found = candidates.find((file) => isFile(join(rootDir, file)));
  return [found ?? main].filter((file) => file !== undefined);
}

function mainOf({ exports, main }: Record<string, unknown>): string | undefined {
  const root = asObject(exports);
  const target = Object.keys(root).some((key) => key.startsWith(".")) ? root["."] : exports;
  return exportTarget(target) ?? (typeof main === "string" ? main : undefined);
}

function checkedFile(
  candidate: PluginCandidate,
  entry: string,
): Pick<PluginEntryFile, "file" | "unbuilt"> {
  const { id, rootDir } = candidate;
  const path = resolve(rootDir, entry);
  const file = realFile(path, rootDir);
  if (file !== undefined) return { file: insideFolder(candidate, path, file) };
  const source = sourceOf(entry, rootDir);
  if (source !== undefined) return { ...checkedFile(candidate, source), unbuilt: path };
  throw new PluginLoadError({
    pluginId: id,
    problem: "entry-missing",
    message: `its entry ${path} ${statsOf(path) === "does not exist" ? "does not exist" : "is not a file"}`,
    hint: "build the plugin, or correct the entry in its manifest or package.json",
    file: candidate.source,
  });
}

/** Returns the real path of a file; most entries are directly in the plugin's folder, whose path is already real. */
function realFile(path: string, rootDir: string): string | undefined {
  if (dirname(path) === rootDir) {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return undefined;
    if (!stats.isSymbolicLink()) return stats.isFile() ? path : undefined;
  }
  const file = realPath(path);
  return file !== undefined && isFile(file) ? file : undefined;
}

function insideFolder({ id, rootDir, source }: PluginCandidate, path: string, file: string) {
  if (file === path && dirname(file) === rootDir) return file;
  if (isInside(file, rootDir)) return file;
  throw new PluginLoadError({
    pluginId: id,
    problem: "entry-unsafe",
    message: `its entry ${path} resolves to ${file}, outside the plugin's folder ${rootDir}`,
    hint: "put the file into the plugin's folder; links that lead out of it are not followed",
    file: source,
  });
}

/** Returns the source file of a build output. */
function sourceOf(entry: string, rootDir: string): string | undefined {
  const [, name = "", variant = ""] = BUILT.exec(entry) ?? [];
  if (name === "") return undefined;
  const endings = variant === "" ? ["ts"] : [`${variant}ts`, "ts"];
  return endings
    .flatMap((ending) => [`src/${name}.${ending}`, `${name}.${ending}`])
    .find((file) => isFile(join(rootDir, file)));
}

/** Rejects two entries with the same file name, which would have the same id. */
function refuseTwins(candidate: PluginCandidate, entries: readonly PluginEntryFile[]): void {
  const twin = entries.find(({ id }, index) => entries.findIndex((one) => one.id === id) < index);
  if (twin === undefined) return;
  const files = entries.filter(({ id }) => id === twin.id).map(({ file }) => file);
  throw new PluginLoadError({
    pluginId: candidate.id,
    problem: "entry-ambiguous",
    message: `its entries ${files.join(" and ")} would both be plugin "${twin.id}"`,
    hint: "give the entry files different names",
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
