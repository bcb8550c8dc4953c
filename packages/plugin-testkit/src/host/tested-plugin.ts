import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { loadConfiguration } from "@openclaw/configuration";
import { inspectPlugins } from "@openclaw/gateway";
import type { PluginOverview } from "@openclaw/plugin-discovery";
import type { PluginGeneration, PluginRecord } from "@openclaw/plugin-runtime";
import type { PluginDefinition, PluginManifest } from "@openclaw/plugin-sdk";
import { PluginMissingError, PluginNotLoadedError } from "../errors.js";

/** A plugin under test: its definition, or path or URL of its folder or entry file. */
export type TestedPlugin<Config = Record<string, unknown>> =
  | PluginDefinition<Config>
  | string
  | URL;

/** A plugin under test, and the host options that load it. */
export interface PluginPlace {
  /** Its manifest or definition. */
  readonly id: string;
  /** Kind in its manifest or definition, which names the slot that it needs. */
  readonly kind?: string | readonly string[] | undefined;
  readonly inlinePlugins: readonly PluginDefinition[];
  /** Naming a path counts as the operator's consent to hooks that see conversations. */
  readonly pluginPaths: readonly string[];
}

/**
 * Returns the plugins at a path, from manifests alone; runs no plugin code.
 * @param path - absolute path
 * @param stateDir - an empty folder
 * @param api - the only version of the plugin API that the host claims to support
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
 * Returns the host options that load a plugin; runs no plugin code.
 * @param plugin - definition, path or URL
 * @param manifest - manifest of a definition; empty when it has none
 * @param stateDir - an empty folder
 * @throws PluginMissingError when the path does not exist
 * @throws PluginNotLoadedError when no plugin is found at the path
 */
export async function placePlugin<Config>(
  plugin: TestedPlugin<Config>,
  manifest: Pick<PluginManifest, "configSchema">,
  stateDir: string,
): Promise<PluginPlace> {
  if (typeof plugin === "object" && !(plugin instanceof URL)) {
    // The host passes a plugin the configuration that was validated by the plugin's own schema.
    const definition = plugin as PluginDefinition<unknown> as PluginDefinition;
    const { configSchema = definition.configSchema } = manifest;
    const inline = configSchema === undefined ? definition : { ...definition, configSchema };
    return { id: plugin.id, kind: plugin.kind, inlinePlugins: [inline], pluginPaths: [] };
  }
  const path = resolve(plugin instanceof URL ? fileURLToPath(plugin) : plugin);
  if (!existsSync(path)) throw new PluginMissingError(path);
  const { plugins, diagnostics } = await overviewAt(path, stateDir);
  const [found] = plugins;
  if (found === undefined) throw new PluginNotLoadedError(path, diagnostics);
  return { id: found.id, kind: found.kind, inlinePlugins: [], pluginPaths: [path] };
}

/**
 * Returns the records of a plugin, one for each of its entries.
 * @param generation - a loaded generation
 * @param id - id of the plugin
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
 * Returns true when an item belongs to the plugin under test.
 * @param id - id of the plugin under test; one with several entries owns `<id>/<entry>` too
 * @param pluginId - owner of the item
 */
export function belongsTo(id: string, pluginId: string): boolean {
  return pluginId === id || pluginId.startsWith(`${id}/`);
}
