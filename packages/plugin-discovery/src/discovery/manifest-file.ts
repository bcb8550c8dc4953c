import { readFileSync, Stats, statSync } from "node:fs";
import { basename, sep } from "node:path";
import { defined, errorMessage } from "@openclaw/foundation";
import { Json5SyntaxError, parseJson5 } from "@openclaw/foundation/json-document";
import type { PluginManifest } from "@openclaw/plugin-sdk/manifest";
import type { Bundle } from "../bundles/bundle.js";
import { derivedId } from "./derived-id.js";
import type { PluginDiagnostic } from "./diagnostic.js";
import { checkManifest } from "./manifest-check.js";

/** Maximum size of a manifest, in bytes (PLUG-003). */
const MANIFEST_BYTES = 256 * 1024;

/** Keys of a `package.json` block that do not belong to the manifest. */
const PACKAGE_BLOCK_FIELDS = new Set([
  "extensions",
  "runtimeExtensions",
  "setupEntry",
  "runtimeSetupEntry",
  "channel",
  "install",
  "build",
]);

/** The file names of a manifest; the first that exists wins (D1). */
const MANIFEST_FILES = [
  { file: "openclaw.plugin.json" },
  { file: "clawdbot.plugin.json", legacy: "openclaw.plugin.json" },
  { file: "moltbot.plugin.json", legacy: "openclaw.plugin.json" },
  { file: "manifest.json" },
] as const;

const PACKAGE_BLOCKS = [
  { block: "openclaw" },
  { block: "clawdbot", legacy: "openclaw" },
  { block: "moltbot", legacy: "openclaw" },
] as const;

/** The manifest found in a folder; `manifest` is absent when it cannot be used. */
export interface ManifestFile {
  readonly path: string;
  /** True when there is no manifest file and the name of the code file is used instead. */
  readonly derived?: boolean;
  readonly manifest: PluginManifest | undefined;
  /** True when the manifest has no id, so that it was derived from a name. */
  readonly hasDerivedId?: boolean;
  /** Name of the package whose `package.json` holds the manifest. */
  readonly packageName?: string;
  /** Set for a bundle of another tool. */
  readonly bundle?: Bundle;
  /** Diagnostics without plugin ids; the caller knows the plugin. */
  readonly diagnostics: readonly PluginDiagnostic[];
}

/**
 * A file that was changed less than this time ago, in milliseconds, may change again without a new
 * modification time.
 */
const SETTLED_MS = 2_000;

interface ReadFile {
  readonly state: string;
  readonly found: ManifestFile | undefined;
}

/**
 * Cache of values made from files, valid while the files are unchanged: each reload looks at all
 * manifests.
 */
const kept = new Map<string, ReadFile>();

/**
 * Reads the manifest of a plugin's folder without running any of its code (PLUG-003, PLUG-004).
 * @param folder - absolute, normalised path
 * @returns undefined when the folder has no manifest
 */
export function readManifestFile(folder: string): ManifestFile | undefined {
  for (const choice of MANIFEST_FILES) {
    const path = `${folder}${sep}${choice.file}`;
    const legacy = "legacy" in choice ? [legacyName(path, choice.file, choice.legacy)] : [];
    const file = readFile(path, (content) => fromContent(path, content, legacy));
    if (file !== undefined) return file.found;
  }
  const path = `${folder}${sep}package.json`;
  return readFile(path, (content) => fromPackage(path, content))?.found;
}

/** Returns undefined when the file does not exist. */
function readFile(
  path: string,
  make: (content: string | PluginDiagnostic) => ManifestFile | undefined,
): Pick<ReadFile, "found"> | undefined {
  const stats = statsOrProblem(path);
  if (stats === undefined) return undefined;
  if (!(stats instanceof Stats)) return { found: make(stats) };
  const { ino, size, mtimeMs, ctimeMs } = stats;
  const state = `${ino} ${size} ${mtimeMs} ${ctimeMs}`;
  const before = kept.get(path);
  if (before?.state === state) return before;
  const file = { state, found: make(contentOf(path, stats)) };
  if (Date.now() - Math.max(ctimeMs, mtimeMs) > SETTLED_MS) kept.set(path, file);
  return file;
}

function fromContent(
  path: string,
  content: string | PluginDiagnostic,
  before: readonly PluginDiagnostic[],
): ManifestFile {
  if (typeof content !== "string") return unusable(path, [...before, content]);
  const parsed = parse(content, path);
  if ("problem" in parsed) return unusable(path, [...before, parsed.problem]);
  const block = blockOf(parsed.value);
  return block === undefined
    ? checked(path, parsed.value, new Set(), before)
    : checked(path, block, PACKAGE_BLOCK_FIELDS, before);
}

function fromPackage(path: string, content: string | PluginDiagnostic): ManifestFile | undefined {
  // A package without a block is not a plugin, so errors in its file are not reported.
  if (typeof content !== "string") return undefined;
  const parsed = parse(content, path);
  if ("problem" in parsed) return undefined;
  const fields = parsed.value;
  if (typeof fields !== "object" || fields === null) return undefined;
  for (const choice of PACKAGE_BLOCKS) {
    if (!Object.hasOwn(fields, choice.block)) continue;
    const whole = fields as Record<string, unknown>;
    const block = withPackageFields(whole[choice.block], whole);
    const legacy =
      "legacy" in choice ? [legacyName(path, `#${choice.block}`, `#${choice.legacy}`)] : [];
    const file = checked(path, block, PACKAGE_BLOCK_FIELDS, legacy);
    return typeof whole.name === "string" ? { ...file, packageName: whole.name } : file;
  }
  return undefined;
}

/** The package's own fields are used where the block does not set them. */
function withPackageFields(block: unknown, whole: Record<string, unknown>): unknown {
  if (typeof block !== "object" || block === null) return block;
  const { name, version, description } = whole;
  return {
    ...defined({ name, version, description }),
    ...block,
  };
}

/** Returns the manifest in a file that has the form of a `package.json`: a block, with the plugin's fields in `plugin`. */
function blockOf(value: unknown): unknown {
  if (!isObject(value) || Object.hasOwn(value, "id")) return undefined;
  const name = PACKAGE_BLOCKS.find(({ block }) => isObject(value[block]))?.block;
  const block = name === undefined ? undefined : value[name];
  if (!isObject(block)) return undefined;
  const { plugin, ...fields } = block;
  return isObject(plugin) ? { ...fields, ...plugin } : fields;
}

function checked(
  path: string,
  given: unknown,
  foreign: ReadonlySet<string>,
  before: readonly PluginDiagnostic[],
): ManifestFile {
  const derived = withoutId(given, path) ? derivedId(path, given.name) : undefined;
  const value = derived === undefined || !isObject(given) ? given : { ...given, id: derived.id };
  const { manifest, problems } = checkManifest(value, foreign);
  const diagnostics = problems.map(({ code, message, hint }): PluginDiagnostic => {
    const level = code === "manifest-invalid" ? "error" : "info";
    return { level, code, message: `${path} ${message}`, source: path, hint };
  });
  if (derived === undefined) return { path, manifest, diagnostics: [...before, ...diagnostics] };
  const all = [...before, derived.diagnostic, ...diagnostics];
  return { path, manifest, hasDerivedId: true, diagnostics: all };
}

/** A `manifest.json` without an id may belong to anything, so it is not taken for a plugin's. */
function withoutId(value: unknown, path: string): value is Readonly<Record<string, unknown>> {
  return isObject(value) && !Object.hasOwn(value, "id") && basename(path) !== "manifest.json";
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function unusable(path: string, diagnostics: readonly PluginDiagnostic[]): ManifestFile {
  return { path, manifest: undefined, diagnostics };
}

function legacyName(path: string, found: string, wanted: string): PluginDiagnostic {
  return {
    level: "warn",
    code: "manifest-legacy",
    message: `${path} uses the older name ${found} for the manifest`,
    source: path,
    hint: `rename ${found} to ${wanted}`,
  };
}

function statsOrProblem(path: string): Stats | PluginDiagnostic | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    return unreadable(path, errorMessage(error));
  }
}

/**
 * Returns the text of a file, or a diagnostic when it cannot be used. Only regular files are
 * opened: reading from a pipe could wait forever.
 */
function contentOf(path: string, stats: Stats): string | PluginDiagnostic {
  if (!stats.isFile()) return unreadable(path, "it is not a file");
  if (stats.size > MANIFEST_BYTES) {
    return {
      level: "error",
      code: "manifest-invalid",
      message: `${path} has ${stats.size} bytes; a manifest has at most ${MANIFEST_BYTES}`,
      source: path,
      hint: "move large data into files that the plugin reads itself",
    };
  }
  try {
    return readFileSync(path, "utf8").replace(/^\uFEFF/, "");
  } catch (error) {
    return unreadable(path, errorMessage(error));
  }
}

function unreadable(path: string, reason: string): PluginDiagnostic {
  return {
    level: "error",
    code: "manifest-invalid",
    message: `${path} cannot be read: ${reason}`,
    source: path,
    hint: `make ${basename(path)} a file that this user may read`,
  };
}

/** Digits or an exponent of a number that may be beyond 2^53. */
const LARGE_NUMBER = /\d{16}|\de/i;

function parse(
  content: string,
  path: string,
): { readonly value: unknown } | { readonly problem: PluginDiagnostic } {
  try {
    // Most manifests are plain JSON, which the engine parses faster, but it rounds large numbers.
    if (!LARGE_NUMBER.test(content)) return { value: JSON.parse(content) };
  } catch {
    // The other parser reads JSON5, and locates errors.
  }
  try {
    return { value: parseJson5(content).value };
  } catch (error) {
    if (!Json5SyntaxError.isInstance(error)) throw error;
    const message = `${path}:${error.line}:${error.column} is not valid JSON5: ${error.message}`;
    const hint = "correct the file at that line and column";
    return { problem: { level: "error", code: "manifest-invalid", message, source: path, hint } };
  }
}
