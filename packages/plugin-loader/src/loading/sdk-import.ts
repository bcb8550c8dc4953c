import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { SdkGaps, SdkUse } from "../missing-parts/sdk-gaps.js";
import { createStandIn } from "../missing-parts/stand-in-modules.js";
import { importsIn, plainNames } from "../sdk-use/module-imports.js";
import type { PluginModules } from "./plugin-modules.js";
import { loadSdkModule, resolveSdkModule, unknownSubpath } from "./sdk-modules.js";

/** Newest load of each plugin's folder, for modules that Node does not attribute: dependencies, and modules of jiti. */
const newest = new Map<string, PluginModules>();

/** Records a load, so that modules below its folder belong to it. */
export function noteLoad(modules: PluginModules): void {
  newest.set(modules.rootUrl, modules);
}

/**
 * Returns the newest load of the plugin that a module belongs to, dependencies included.
 * @param url - URL of a module
 */
export function loadAround(url: string): PluginModules | undefined {
  let slash = url.lastIndexOf("/");
  while (slash > "file://".length) {
    const found = newest.get(url.slice(0, slash + 1));
    if (found !== undefined) return found;
    slash = url.lastIndexOf("/", slash - 1);
  }
  return undefined;
}

/** Returns the newest load of a plugin. */
export function loadOf(pluginId: string | undefined): PluginModules | undefined {
  return [...newest.values()].find((modules) => modules.pluginId === pluginId);
}

/**
 * Resolves an import of the SDK to the host's copy (PLUG-017). For names that this host lacks a plugin gets a module that
 * has them, with values that throw when they are used (PLUG-140).
 * @param specifier - specifier of the SDK
 * @param importer - URL of the importing module
 * @param owner - modules that the importing module belongs to, as far as known
 * @throws SdkSubpathError for an entry point that the host does not offer, when the plugin can handle its absence
 */
export function resolveSdkImport(
  specifier: string,
  importer: string | undefined,
  owner: PluginModules | undefined,
): string {
  const url = resolveSdkModule(specifier);
  const modules = owner ?? (importer === undefined ? undefined : loadAround(importer));
  if (importer === undefined || modules === undefined) {
    if (url === undefined) throw unknownSubpath(specifier, importer);
    return url;
  }
  const source = readFileSync(fileURLToPath(importer.replace(/[?#].*$/, "")), "utf8");
  const plain = url === undefined ? undefined : plainNames(source, specifier);
  if (plain !== undefined) {
    const use = { specifier, names: plain, importer: modules.pathOf(importer) };
    return withMissing(use, url, modules.gaps);
  }
  const found = importsIn(source).filter((each) => each.specifier === specifier);
  const binding = found.filter(({ isGuarded }) => !isGuarded);
  if (url === undefined && binding.length === 0) throw unknownSubpath(specifier, importer);
  const names = binding.flatMap((each) => [...each.names, ...(each.hasDefault ? ["default"] : [])]);
  return withMissing({ specifier, names, importer: modules.pathOf(importer) }, url, modules.gaps);
}

/**
 * Returns the URL of an entry point of the SDK, or of a module that has the names that it lacks in addition.
 * @param use - import of the entry point
 * @param url - URL of the host's copy; undefined for an entry point that it lacks
 * @param gaps - missing parts of the plugin
 */
function withMissing(use: SdkUse, url: string | undefined, gaps: SdkGaps): string {
  const exports = url === undefined ? undefined : loadSdkModule(url);
  const missing =
    exports === undefined ? use.names : use.names.filter((name) => !(name in exports));
  if (missing.length === 0 && url !== undefined) return url;
  const hasDefault = exports !== undefined && "default" in exports;
  return createStandIn(url, hasDefault, gaps.valuesOf(use, missing, Object.keys(exports ?? {})));
}
