import type { PlannedPlugin, PluginPlan, UnplannedPlugin } from "@openclaw/plugin-discovery";
import type { PluginDataPort } from "@openclaw/plugin-sdk/store";
import { inTurn } from "./import-turns.js";
import type { ImportOptions } from "./plugin-import.js";
import type { PluginLoaders } from "./plugin-loaders.js";

/** Data port of a plugin, or the reason why there is none. */
export type PluginDataOutcome = { readonly port: PluginDataPort } | { readonly reason: string };

/**
 * Imports plugins to get their data ports; nothing is registered (SDK-640). A bundled plugin is imported even when it is
 * disabled, because it keeps its data.
 * @param plan - all plugins
 * @param pluginIds - plugins that have data
 * @param loaders - loaders of the host
 * @param options - evaluation of their modules
 */
export async function importDataPorts(
  plan: PluginPlan,
  pluginIds: readonly string[],
  loaders: Pick<PluginLoaders, "import">,
  options: ImportOptions,
): Promise<ReadonlyMap<string, PluginDataOutcome>> {
  const outcomes = new Map<string, PluginDataOutcome>();
  for (const pluginId of pluginIds) {
    outcomes.set(
      pluginId,
      await portOf(plan, pluginId, (planned) => loaders.import(planned, options)),
    );
  }
  return outcomes;
}

async function portOf(
  { load, leave }: PluginPlan,
  pluginId: string,
  importOf: (planned: PlannedPlugin) => ReturnType<PluginLoaders["import"]>,
): Promise<PluginDataOutcome> {
  const left = leave.find(({ candidate }) => isOf(candidate.id, pluginId));
  const planned =
    load.find(({ id }) => isOf(id, pluginId)) ?? (left === undefined ? undefined : bundled(left));
  if (planned === undefined) return { reason: reasonOf(left) };
  const imported = await inTurn(() => importOf(planned));
  // A failure to import carries the id of the plugin, not of one of its entries.
  const outcome = imported.find(({ id }) => id === pluginId) ?? imported[0];
  if (outcome === undefined) return { reason: "it has no code" };
  if ("failure" in outcome) return { reason: `it cannot be loaded: ${outcome.failure.message}` };
  const { data } = outcome.imported.exported;
  if (data === undefined) return { reason: "it has no data port" };
  if (isPort(data)) return { port: data };
  return {
    reason: "its `data` is not a data port: expected databases, exportData and importData",
  };
}

/** Returns true when an entry with this id belongs to the plugin: `<plugin>/<file>` is one of several (PLUG-008). */
function isOf(planId: string, pluginId: string): boolean {
  return pluginId === planId || pluginId.startsWith(`${planId}/`);
}

function bundled(left: UnplannedPlugin): PlannedPlugin | undefined {
  const { candidate } = left;
  const { manifest, origin } = candidate;
  if ("error" in left || manifest === undefined || origin !== "bundled") return undefined;
  return { ...candidate, manifest, entry: undefined };
}

function reasonOf(left: UnplannedPlugin | undefined): string {
  if (left === undefined) return "it is not installed";
  if ("error" in left) return `it cannot be loaded: ${left.error.message}`;
  return `it is not enabled (${left.reason}); ${left.line} enables it`;
}

function isPort(value: unknown): value is PluginDataPort {
  if (typeof value !== "object" || value === null) return false;
  if (!("databases" in value && "exportData" in value && "importData" in value)) return false;
  const { databases, exportData, importData } = value;
  const hasNames = Array.isArray(databases) && databases.every((name) => typeof name === "string");
  return hasNames && typeof exportData === "function" && typeof importData === "function";
}
