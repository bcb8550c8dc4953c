import { errorMessage, withDeadline } from "@openclaw/foundation";
import {
  type Bundle,
  type CheckedConfig,
  checkExportedConfig,
  checkPluginConfig,
  deepFreeze,
  type PlannedPlugin,
  type PluginDiagnostic,
  registerDeadline,
} from "@openclaw/plugin-discovery";
import { emptyPluginConfigSchema, type PluginDefinition } from "@openclaw/plugin-sdk/plugin-entry";
import type { PluginIsolation } from "@openclaw/plugin-sdk/proposals/isolation-tier";
import { registerBundle } from "../bundles/bundle-plugin.js";
import { PluginLoadError } from "../errors.js";
import type { PluginFaults } from "../faults/plugin-faults.js";
import { findSdkParts, type SdkPart } from "../sdk-use/sdk-use.js";
import { findEntries, type PluginEntryFile } from "./entry-files.js";
import { withoutExit } from "./exit-guard.js";
import type { PluginFilesCheck, PluginFilesProblem } from "./files-check.js";
import { publishRoutes } from "./global-routes.js";
import { readHookExport } from "./hook-export.js";
import { idMismatch, rethrow, wrongExport, wrongHandler } from "./import-failures.js";
import { tellInert, tellLimited } from "./missing-notice.js";
import { type PluginExport, type RegisterFunction, readPluginExport } from "./module-export.js";
import { type LoadedModule, loadModule, type ModuleLoaderName } from "./module-loader.js";

/** Plugin with loaded modules and valid configuration that has not registered yet. */
export interface ImportedPlugin {
  readonly id: string;
  readonly source: string;
  readonly plan: PlannedPlugin;
  readonly exported: PluginExport;
  /** Configuration of the plugin, frozen, with defaults applied. */
  readonly config: Readonly<Record<string, unknown>>;
  readonly loader: ModuleLoaderName | "inline" | "none";
  readonly loadMs: number;
  /** Isolation of its code; absent for code in the process of the host. */
  readonly isolation?: PluginIsolation | undefined;
  readonly diagnostics: readonly PluginDiagnostic[];
  /** Parts of the SDK that it imports and this host lacks. */
  readonly missingParts: readonly SdkPart[];
  /** Passes `runtime.agent` to modules that import the agent of an older host. */
  readonly bindAgent?: LoadedModule["bindAgent"];
  /** Reports uses of parts of the SDK that this host lacks. */
  readonly watchMissing?: LoadedModule["watchMissing"];
}

/** Options of {@link importPlugin}. */
export interface ImportOptions {
  /** True evaluates its modules again. */
  readonly again: boolean;
  /** Attributes faults to the plugin whose code caused them. */
  readonly faults: PluginFaults;
  /** Checks its files first. */
  readonly checkFiles?: PluginFilesCheck | undefined;
}

/** Module of a plugin, or the problem of its import. */
export type ImportOutcome =
  | { readonly id: string; readonly imported: ImportedPlugin }
  | { readonly id: string; readonly failure: PluginLoadError };

/**
 * Checks a plugin's configuration and loads its modules, without registering anything (PLUG-016 to PLUG-021). A failure
 * affects only this plugin.
 * @param options - evaluation of its modules
 */
export async function importPlugin(
  plan: PlannedPlugin,
  options: ImportOptions,
): Promise<ImportOutcome[]> {
  const given = plan.entry?.config ?? {};
  if (plan.definition !== undefined)
    return [await importInline(plan, plan.definition, given, options)];
  return await importEntries(plan, options, (entry, config) =>
    importEntry(plan, entry, config, options),
  );
}

/**
 * Checks the files and the configuration of a plugin, and imports each of its entries with code.
 * @param options - check of its files
 * @param importCode - imports one entry with the checked configuration
 */
export async function importEntries(
  plan: PlannedPlugin,
  options: ImportOptions,
  importCode: (
    entry: PluginEntryFile,
    config: Readonly<Record<string, unknown>>,
  ) => Promise<ImportedPlugin>,
): Promise<ImportOutcome[]> {
  const given = plan.entry?.config ?? {};
  try {
    const changed = await options.checkFiles?.(plan);
    if (changed !== undefined) throw filesFailure(plan, changed);
    const { configSchema } = plan.manifest;
    const config =
      configSchema === undefined
        ? given
        : settled(plan, await checkPluginConfig(given, configSchema));
    const { bundle, id } = plan;
    if (bundle !== undefined) return [{ id, imported: bundleWith(plan, bundle, config, options) }];
    return await Promise.all(
      findEntries(plan).map((entry) =>
        attempt(entry.id, async () =>
          entry.file.endsWith(".json")
            ? withoutCode(plan, entry.id, entry.file, config)
            : await importCode(entry, config),
        ),
      ),
    );
  } catch (error) {
    return [{ id: plan.id, failure: asFailure(plan.id, error) }];
  }
}

async function attempt(id: string, work: () => Promise<ImportedPlugin>): Promise<ImportOutcome> {
  try {
    return { id, imported: await work() };
  } catch (error) {
    return { id, failure: asFailure(id, error) };
  }
}

async function importInline(
  plan: PlannedPlugin,
  definition: PluginDefinition,
  given: Readonly<Record<string, unknown>>,
  { faults }: ImportOptions,
): Promise<ImportOutcome> {
  const { id, source } = plan;
  return attempt(id, async () => {
    const exported = readPluginExport(definition);
    if (exported === undefined) throw wrongExport(plan, id, source, definition);
    const config = settled(plan, await checkExportedConfig(given, exported.configSchema));
    const register: RegisterFunction = (api) => {
      const scope = faults.scope(id);
      publishRoutes(api, scope);
      return scope.load("register", () => exported.register(api));
    };
    const inScope = { ...exported, register };
    return {
      id,
      source,
      plan,
      exported: inScope,
      config,
      loader: "inline",
      loadMs: 0,
      diagnostics: [],
      missingParts: [],
    };
  });
}

async function importEntry(
  plan: PlannedPlugin,
  { id, file, unbuilt }: PluginEntryFile,
  config: Readonly<Record<string, unknown>>,
  { again, faults }: ImportOptions,
): Promise<ImportedPlugin> {
  const scope = faults.scope(id);
  faults.noteRoot(plan.rootDir, id);
  const began = performance.now();
  const { namespace, loader, refused, isTypeless, hasGaps, bindAgent, watchMissing } =
    await withDeadline(registerDeadline(plan.entry), () =>
      withoutExit(plan.rootDir, () => scope.load("import", () => loadModule(file, plan, again))),
    ).catch((error) => {
      scope.abandon();
      return rethrow(plan, id, file, error);
    });
  const loadMs = performance.now() - began;
  const { hookFile } = plan;
  const exported =
    hookFile === undefined ? readPluginExport(namespace) : readHookExport(namespace, hookFile);
  if (exported === undefined) {
    throw hookFile === undefined
      ? wrongExport(plan, id, file, namespace)
      : wrongHandler(id, file, namespace, hookFile);
  }
  const hasOwnId = exported.id !== undefined && plan.hasDerivedId !== true;
  if (hasOwnId && exported.id !== id && exported.id !== plan.id) {
    throw idMismatch(plan, id, file, exported.id);
  }
  const checked = await exportedConfig(plan, exported, config);
  const parts = hasGaps ? await findSdkParts([file], plan.rootDir) : [];
  const missingParts = parts.filter(({ offered }) => !offered);
  const inert = parts.filter((part) => part.inert === true);
  const diagnostics = [
    ...(missingParts.length === 0 ? [] : [tellLimited(id, file, missingParts)]),
    ...(inert.length === 0 ? [] : [tellInert(id, file, inert)]),
    ...(unbuilt === undefined ? [] : [tellUnbuilt(id, file, unbuilt)]),
    ...(refused === undefined ? [] : [tellJiti(id, file, refused)]),
    ...(isTypeless === true ? [tellTypeless(id, file)] : []),
  ];
  const register: RegisterFunction = (api) => {
    publishRoutes(api, scope);
    return withoutExit(plan.rootDir, () => scope.load("register", () => exported.register(api)));
  };
  return {
    id,
    source: file,
    plan,
    exported: { ...exported, register },
    config: checked,
    loader,
    loadMs,
    diagnostics,
    missingParts,
    bindAgent,
    watchMissing,
  };
}

/**
 * The manifest's schema decides about the configuration. The module's schema decides when the manifest has none;
 * otherwise it converts, and it rejects nothing that the manifest accepts, its defaults included (PLUG-100).
 */
async function exportedConfig(
  plan: PlannedPlugin,
  { configSchema }: PluginExport,
  config: Readonly<Record<string, unknown>>,
): Promise<Readonly<Record<string, unknown>>> {
  const { manifest } = plan;
  const isEmpty =
    configSchema === emptyPluginConfigSchema || configSchema === emptyPluginConfigSchema();
  if (manifest.configSchema === undefined)
    return settled(plan, await checkExportedConfig(config, configSchema));
  if (isEmpty) return config;
  const checked = await checkExportedConfig(config, configSchema);
  return "config" in checked ? deepFreeze(checked.config) : config;
}

/** The files of a bundle are read when it registers; none of them is executed. */
function bundleWith(
  plan: PlannedPlugin,
  bundle: Bundle,
  config: Readonly<Record<string, unknown>>,
  { faults }: ImportOptions,
): ImportedPlugin {
  const { id, source } = plan;
  const scope = faults.scope(id);
  const register: RegisterFunction = (api) =>
    scope.load("register", () => registerBundle(api, bundle, plan));
  const content = { loader: "none", loadMs: 0, diagnostics: [], missingParts: [] } as const;
  return { id, source, plan, exported: { register }, config, ...content };
}

/** A plugin without code provides only the content named in its manifest (PLUG-025). */
function withoutCode(
  plan: PlannedPlugin,
  id: string,
  file: string,
  config: Readonly<Record<string, unknown>>,
): ImportedPlugin {
  const { skills = [], mcpServers = {}, declarativeHooks } = plan.manifest;
  const offersContent = Object.keys(mcpServers).length > 0 || declarativeHooks !== undefined;
  if (skills.length === 0 && !offersContent) {
    throw new PluginLoadError({
      pluginId: id,
      problem: "nothing-offered",
      message:
        "it has no code, and its manifest names neither skills nor mcpServers nor declarativeHooks",
      hint: 'add "skills", "mcpServers" or "declarativeHooks" to its manifest, or an entry with code',
      file,
    });
  }
  const exported: PluginExport = { register: () => undefined };
  return {
    id,
    source: file,
    plan,
    exported,
    config,
    loader: "none",
    loadMs: 0,
    diagnostics: [],
    missingParts: [],
  };
}

function settled(plan: PlannedPlugin, checked: CheckedConfig): Readonly<Record<string, unknown>> {
  if ("config" in checked) return deepFreeze(checked.config);
  const key = `plugins.entries.${plan.id}.config`;
  throw new PluginLoadError({
    pluginId: plan.id,
    problem: "config-invalid",
    message: `${key} is wrong at ${checked.problems.join("; ")}`,
    hint: `correct ${key}`,
    file: plan.source,
  });
}

function filesFailure(
  { id, rootDir }: PlannedPlugin,
  { message, hint }: PluginFilesProblem,
): PluginLoadError {
  return new PluginLoadError({
    pluginId: id,
    problem: "files-changed",
    message,
    hint,
    file: rootDir,
  });
}

function tellJiti(id: string, file: string, refused: string): PluginDiagnostic {
  return {
    level: "info",
    code: "loaded-by-jiti",
    message: `plugin "${id}" was loaded through jiti, which is slower than Node itself: ${refused}`,
    pluginId: id,
    source: file,
    hint: "publish JavaScript, or use only TypeScript that Node can strip, with full file names in imports",
  };
}

function tellTypeless(id: string, file: string): PluginDiagnostic {
  return {
    level: "info",
    code: "module-type-missing",
    message: `plugin "${id}" has ES modules, and its package.json has no "type"; Node reads them twice`,
    pluginId: id,
    source: file,
    hint: 'add "type": "module" to its package.json',
  };
}

function tellUnbuilt(id: string, file: string, unbuilt: string): PluginDiagnostic {
  return {
    level: "info",
    code: "entry-from-source",
    message: `plugin "${id}" names ${unbuilt}, which was not built; its source ${file} is loaded instead`,
    pluginId: id,
    source: file,
    hint: "build the plugin before it is published",
  };
}

function asFailure(pluginId: string, error: unknown): PluginLoadError {
  if (PluginLoadError.isInstance(error)) return error;
  return new PluginLoadError({
    pluginId,
    problem: "import-failed",
    message: errorMessage(error),
    hint: "see the cause",
    cause: error,
  });
}
