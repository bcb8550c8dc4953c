import { existsSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { defined, errorMessage } from "@openclaw/foundation";
import { describeSetting, isRecord, readFrontMatter } from "@openclaw/foundation/front-matter";
import type { PluginDiagnostic } from "./diagnostic.js";
import { checkManifest } from "./manifest-check.js";
import type { ManifestFile } from "./manifest-file.js";

/** Name of the file that describes a hook folder. */
const HOOK_FILE = "HOOK.md";

/** Largest `HOOK.md`, in bytes. */
const MAXIMUM_BYTES = 64 * 1024;

/** Files of the handler, in order of preference. */
const HANDLERS = ["handler.ts", "handler.js", "handler.mjs", "index.ts", "index.js", "index.mjs"];

/** Conditions in `metadata` that this host does not check. */
const CONDITIONS = ["requires", "os", "install"];

/** Handler of events in a folder of the operator, described by a `HOOK.md` (PLUG-110). */
export interface HookFile {
  readonly name: string;
  readonly description: string;
  /** Names of events, as for `api.registerHook`. */
  readonly events: readonly string[];
  /** Name of the exported handler. */
  readonly exportName: string;
}

/** A hook folder as a plugin; `hookFile` is absent when the file cannot be used. */
export interface FoundHookFile extends ManifestFile {
  readonly hookFile?: HookFile | undefined;
}

/**
 * Reads the `HOOK.md` of a folder without running any of its code.
 * @param folder - real path of the folder
 * @param id - id of the plugin that it becomes
 * @returns undefined when the folder has no such file
 */
export async function readHookFile(folder: string, id: string): Promise<FoundHookFile | undefined> {
  const path = join(folder, HOOK_FILE);
  if (!existsSync(path)) return undefined;
  const text = textOf(path);
  const found =
    typeof text === "string"
      ? await readFrontMatter(text, "name, description, metadata with events")
      : text;
  if ("problem" in found) return unusable(path, found.problem);
  const { name = basename(folder), description = "", metadata } = found.values;
  if (typeof name !== "string" || typeof description !== "string") {
    return unusable(path, "has a name or description that is not a string");
  }
  const block = blockOf(metadata);
  const { events, export: exportName = "default" } = block;
  if (!isNames(events)) {
    const shown = describeSetting(events);
    return unusable(
      path,
      `has no metadata.openclaw.events, expected names of events, found ${shown}`,
    );
  }
  if (typeof exportName !== "string") {
    return unusable(path, "has a metadata.openclaw.export that is not the name of an export");
  }
  const entry = HANDLERS.find((file) => existsSync(join(folder, file))) ?? "handler.js";
  const fields = { id, name, ...defined({ description: description || undefined }), entry };
  const { manifest, problems } = checkManifest(
    { ...fields, permissions: { hooks: events } },
    new Set(),
  );
  const [problem] = problems;
  if (problem !== undefined) return unusable(path, problem.message);
  const unchecked = CONDITIONS.filter((key) => block[key] !== undefined);
  return {
    path,
    manifest,
    hookFile: { name, description, events, exportName },
    diagnostics: unchecked.length === 0 ? [] : [tellUnchecked(path, unchecked)],
  };
}

/** Older hosts have the settings below their own name. */
function blockOf(metadata: unknown): Readonly<Record<string, unknown>> {
  if (!isRecord(metadata)) return {};
  const block = metadata.openclaw ?? metadata.moltbot ?? metadata.clawdbot;
  return isRecord(block) ? block : {};
}

function isNames(value: unknown): value is readonly string[] {
  return (
    Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === "string")
  );
}

function textOf(path: string): string | { readonly problem: string } {
  try {
    const stats = statSync(path);
    if (!stats.isFile()) return { problem: "is not a file" };
    if (stats.size <= MAXIMUM_BYTES) return readFileSync(path, "utf8");
    return { problem: `is larger than ${MAXIMUM_BYTES} bytes` };
  } catch (error) {
    return { problem: `cannot be read: ${errorMessage(error)}` };
  }
}

function unusable(path: string, problem: string): FoundHookFile {
  const hint = `write name, description and metadata: { "openclaw": { "events": ["command:new"] } } between two lines --- at the start of ${path}`;
  const diagnostic: PluginDiagnostic = {
    level: "error",
    code: "manifest-invalid",
    message: `${path} ${problem}`,
    source: path,
    hint,
  };
  return { path, manifest: undefined, diagnostics: [diagnostic] };
}

function tellUnchecked(path: string, keys: readonly string[]): PluginDiagnostic {
  return {
    level: "info",
    code: "manifest-not-used",
    message: `${path} sets ${keys.join(", ")}, which this host does not check; the hook is loaded in any case`,
    source: path,
    hint: "set plugins.entries to disable it where it does not work",
  };
}
