import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { inspectPlugins, loadConfiguration } from "@openclaw/gateway";
import type { PluginGeneration, PluginOverview, PluginRecord } from "@openclaw/plugin-runtime";
import type { PluginDefinition, PluginManifest } from "@openclaw/plugin-sdk";
import { PluginMissingError, PluginNotLoadedError } from "../errors.js";

/** A plugin under test: its definition, or path or address of its folder or entry file. */
export type TestedPlugin<Config = Record<string, unknown>> =
  | PluginDefinition<Config>
  | string
  | URL;

/** A plugin under test, and how a host is told of it. */
export interface PluginPlace {
  /** What its manifest or definition says. */
  readonly id: string;
  readonly inlinePlugins: readonly PluginDefinition[];
  /** Naming a path counts as the operator's consent to hooks that see conversations. */
  readonly pluginPaths: readonly string[];
}

/**
 * What a host would find at a path, by manifests alone; none of the plugin's code runs.
 * @param path - absolute
 * @param stateDir - an empty folder
 * @param api - the one version of the plugin API that the host claims to serve
 */
export async function overviewAt(
  path: string,
  stateDir: string,
  api?: string,
): Promise<PluginOverview> {
  return inspectPlugins({
    version: "0.0.0",
    pluginApi: api,
    configuration: await loadConfiguration(join(stateDir, "openclaw.json")),
    workspaceDir: stateDir,
    stateDir,
    bundledExtensions: [],
    pluginPaths: [path],
  });
}

/**
 * Finds out what a host must be told to load a plugin; none of its code runs.
 * @param plugin - definition, path or address
 * @param manifest - of a definition; empty when it has none
 * @param stateDir - an empty folder
 * @throws PluginMissingError when there is nothing at the path
 * @throws PluginNotLoadedError when what is there is no plugin
 */
export async function placePlugin<Config>(
  plugin: TestedPlugin<Config>,
  manifest: Pick<PluginManifest, "configSchema">,
  stateDir: string,
): Promise<PluginPlace> {
  if (typeof plugin === "object" && !(plugin instanceof URL)) {
    // The host hands a plugin the configuration that was checked against the plugin's own schema.
    const definition = plugin as PluginDefinition<unknown> as PluginDefinition;
    const { configSchema = definition.configSchema } = manifest;
    const inline = configSchema === undefined ? definition : { ...definition, configSchema };
    return { id: plugin.id, inlinePlugins: [inline], pluginPaths: [] };
  }
  const path = resolve(plugin instanceof URL ? fileURLToPath(plugin) : plugin);
  if (!existsSync(path)) throw new PluginMissingError(path);
  const { plugins, diagnostics } = await overviewAt(path, stateDir);
  const [found] = plugins;
  if (found === undefined) throw new PluginNotLoadedError(path, diagnostics);
  return { id: found.id, inlinePlugins: [], pluginPaths: [path] };
}

/**
 * The records of a plugin; one for each of its entries.
 * @param generation - loaded
 * @param id - of the plugin
 * @throws PluginNotLoadedError when it does not run
 */
export function testedRecords(
  { plugins, diagnostics }: PluginGeneration,
  id: string,
): readonly [PluginRecord, ...PluginRecord[]] {
  const [first, ...more] = plugins.filter((record) => belongsTo(id, record.id));
  const failed = [first, ...more].find((record) => record?.status !== "loaded");
  if (first === undefined || failed !== undefined) {
    throw new PluginNotLoadedError(
      id,
      diagnostics.filter(({ pluginId }) => pluginId === undefined || belongsTo(id, pluginId)),
    );
  }
  return [first, ...more];
}

/**
 * Whether something of a plugin belongs to the plugin under test.
 * @param id - of the plugin under test; one with several entries owns `<id>/<entry>` too
 * @param pluginId - whose it is
 */
export function belongsTo(id: string, pluginId: string): boolean {
  return pluginId === id || pluginId.startsWith(`${id}/`);
}
