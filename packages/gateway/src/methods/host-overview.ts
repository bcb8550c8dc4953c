import { existsSync } from "node:fs";
import {
  ConfigurationError,
  type ConfigurationProblem,
  formatProblem,
  type LoadedConfiguration,
  type LoadOptions,
  loadConfiguration,
} from "@openclaw/configuration";
import { defined } from "@openclaw/foundation";
import type {
  DiscoveredPlugin,
  PluginDiagnostic,
  PluginOverview,
} from "@openclaw/plugin-discovery";
import { createFilesCheck } from "@openclaw/plugin-install";
import { foreseeFailure, sdkPartsAt, tellLimited } from "@openclaw/plugin-loader";
import type { PolicyWarning } from "@openclaw/tool-policy";
import { namedProblems } from "../diagnostics/named-problems.js";
import { hostPolicy, type OfferedTools } from "../host/policy.js";
import { HOST_TOOL_NAMES } from "../host/tools/names.js";
import { changedSince, lastLoads } from "../plugins/last-loads.js";
import { createHostPlugins, type HostPluginsOptions } from "../plugins/plugins.js";
import { type StateFolder, stateFolderAt } from "../state/folder.js";
import { openLog } from "../state/log.js";

/** Locations in which a host would find its plugins. */
export type PluginPlaces = Omit<HostPluginsOptions, "state" | "log"> & {
  readonly stateDir: string;
};

/** Plugins, and the effects of policy on the tools that their manifests declare (POL-025). */
export type PluginInspection = PluginOverview & {
  readonly policy: readonly PolicyWarning[];
  /** Every warning about the policy, for example about a tool that no enabled plugin declares (POL-019). */
  readonly policyWarnings: readonly PolicyWarning[];
};

/**
 * Finds plugins and determines which are enabled, from manifests and configuration only; no plugin is loaded
 * (PLUG-059). With the modules that the host offers to plugins, the files of plugins that were not loaded since their last
 * change show whether a load would fail.
 * @param places - locations of plugins
 * @param made - tools that plugins offer while they run
 */
export async function inspectPlugins(
  places: PluginPlaces,
  made: readonly OfferedTools[] = [],
): Promise<PluginInspection> {
  const state = stateFolderAt(places.stateDir);
  const log = openLog(undefined, { level: "silent" });
  const overview = await createHostPlugins({ ...places, state, log }).discover();
  const declared = overview.plugins.flatMap(({ id, enabled, permissions }) =>
    enabled ? [{ pluginId: id, names: permissions.tools ?? [], optional: false }] : [],
  );
  const { warnings } = hostPolicy(
    places.configuration,
    HOST_TOOL_NAMES,
    [...declared, ...made],
    overview.plugins,
  );
  const known = await withKnownFailures(overview.plugins, state, places.sdkModules !== undefined);
  return {
    plugins: known.map(({ plugin }) => plugin),
    diagnostics: [...overview.diagnostics, ...known.flatMap(({ limited = [] }) => limited)],
    policy: warnings.filter(isAboutPlugins),
    policyWarnings: warnings,
  };
}

/** Plugin as a start would find it, and the notice of one that would run without parts of the SDK. */
interface KnownPlugin {
  readonly plugin: DiscoveredPlugin & { hint?: string };
  readonly limited?: PluginDiagnostic | undefined;
}

/**
 * Shows as failed the plugins that a start would not load: their files were changed after the install, they failed in
 * the last load, or their files show that a load would fail.
 */
async function withKnownFailures(
  plugins: PluginOverview["plugins"],
  state: StateFolder,
  isForeseeing: boolean,
): Promise<KnownPlugin[]> {
  const checkFiles = createFilesCheck(state);
  const loads = lastLoads(state.dir);
  return Promise.all(
    plugins.map(async (plugin): Promise<KnownPlugin> => {
      if (!plugin.enabled) return { plugin };
      const changed = await checkFiles(plugin);
      if (changed !== undefined) return { plugin: failed(plugin, "files-changed", changed) };
      const last = Object.hasOwn(loads, plugin.id) ? loads[plugin.id] : undefined;
      const isCurrent = last?.rootDir === plugin.rootDir && !changedSince(last.at, plugin.rootDir);
      if (isCurrent && last.failure !== undefined) {
        const message = `it failed at the last start: ${last.failure.message}`;
        return { plugin: failed(plugin, "load-failed", { ...last.failure, message }) };
      }
      if (isCurrent) return { plugin, limited: last.limited };
      if (!isForeseeing || plugin.origin === "bundled") return { plugin };
      const foreseen = await foreseeFailure(plugin);
      if (foreseen === undefined) return { plugin, limited: await foreseeLimits(plugin) };
      const message = `it will not load: ${foreseen.message}`;
      return { plugin: failed(plugin, "load-failed", { ...foreseen, message }) };
    }),
  );
}

async function foreseeLimits(plugin: DiscoveredPlugin): Promise<PluginDiagnostic | undefined> {
  const { id, source, manifestPath, rootDir } = plugin;
  const parts = await sdkPartsAt(source === manifestPath ? rootDir : source);
  const missing = parts.filter(({ offered }) => !offered);
  return missing.length === 0 ? undefined : tellLimited(id, source, missing);
}

function failed(
  plugin: DiscoveredPlugin,
  code: string,
  { message, hint }: { readonly message: string; readonly hint?: string },
) {
  return { ...plugin, enabled: false as const, error: { code, message }, ...defined({ hint }) };
}

function isAboutPlugins({ code }: PolicyWarning): boolean {
  return code === "POLICY_PLUGIN_HIDDEN";
}

/** Result of the check of a configuration file. */
export interface ConfigurationReport {
  /** False when the file does not exist and defaults apply. */
  readonly exists: boolean;
  readonly errors: readonly ConfigurationProblem[];
  readonly warnings: readonly ConfigurationProblem[];
}

/**
 * Checks a configuration file without starting anything: the checks of a start, and the tools that policy
 * names against those that enabled plugins declare (POL-022).
 * @param file - absolute path of the file
 * @param options - checks of bundled plugins, and variables
 * @param places - locations of plugins, and the workspace that follows from a configuration; without them tools are not
 * compared
 */
export async function inspectConfiguration(
  file: string,
  options: LoadOptions = {},
  places?: Omit<PluginPlaces, "configuration" | "workspaceDir"> & {
    workspaceOf(configuration: LoadedConfiguration): string;
    /** Returns the tools that plugins offer while a gateway runs. */
    madeTools?(): Promise<readonly OfferedTools[]>;
  },
): Promise<ConfigurationReport> {
  const exists = existsSync(file);
  try {
    const configuration = await loadConfiguration(file, options);
    const made = await places?.madeTools?.();
    const { policyWarnings, plugins } =
      places === undefined
        ? { policyWarnings: [], plugins: [] }
        : await inspectPlugins(
            { ...places, configuration, workspaceDir: places.workspaceOf(configuration) },
            made,
          );
    const ofPlugins = plugins.flatMap((plugin) => configProblemsOf(plugin, configuration, file));
    const known = new Set(configuration.warnings.map(formatProblem));
    const ofTools = policyWarnings
      .filter(({ severity }) => severity === "warning")
      .map((warning) => asProblem(warning, file))
      .filter((warning) => !known.has(formatProblem(warning)));
    const ofNames =
      places === undefined
        ? []
        : await namedProblems(
            {
              ...{ configuration, stateDir: places.stateDir },
              workspaceDir: places.workspaceOf(configuration),
            },
            { plugins, running: undefined, made },
          );
    const warnings = [
      ...configuration.warnings,
      ...[...ofTools, ...ofPlugins],
      ...ofNames.map(({ severity: _severity, ...problem }) => problem),
    ];
    return { exists, errors: [], warnings };
  } catch (error) {
    if (!ConfigurationError.isInstance(error)) throw error;
    return { exists, errors: error.problems, warnings: [] };
  }
}

/**
 * Returns the problems of a plugin's configuration with the schema of its manifest. Such a plugin is not loaded; the
 * others are.
 * @param plugin - plugin as a start would find it
 * @param configuration - configuration with its places
 * @param main - main file, for values that it does not contain
 */
export function configProblemsOf(
  plugin: PluginInspection["plugins"][number],
  configuration: LoadedConfiguration,
  main: string,
): ConfigurationProblem[] {
  if (!plugin.enabled) return [];
  return (plugin.configProblems ?? []).map((text) => {
    const [pointer = "", ...message] = text.split(": ");
    const below = pointer.split("/").filter((part) => part !== "");
    const path = ["plugins", "entries", plugin.id, "config", ...below];
    return {
      key: path.join("."),
      message: message.join(": "),
      suggestion: `correct it, or the plugin "${plugin.id}" is not loaded`,
      ...(configuration.locate(path) ?? { file: main, line: 1, column: 1 }),
    };
  });
}

function asProblem(warning: PolicyWarning, main: string): ConfigurationProblem {
  const { key, message, suggestion, file = main, line = 1, column = 1 } = warning;
  return { key, message, suggestion, file, line, column };
}
