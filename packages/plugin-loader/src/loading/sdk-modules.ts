import { readFileSync, realpathSync } from "node:fs";
import { createRequire, findPackageJSON } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { nearestName } from "@openclaw/foundation";
import { SdkSubpathError } from "../errors.js";
import { fileUrl } from "./file-url.js";
import { exportTarget } from "./package-exports.js";

const SDK = "@openclaw/plugin-sdk";

/** Specifiers of the SDK within the host's package: the current name and former names. */
const THROUGH_HOST = ["openclaw/plugin-sdk", "clawdbot/plugin-sdk", "moltbot/plugin-sdk"] as const;

const MEANS_SDK = /^(?:@openclaw|openclaw|clawdbot|moltbot)\/plugin-sdk(?=\/|$)/;

const ofHosts = new Map<string, string>();
let known: ReadonlyMap<string, string> | undefined;
let everywhere: ReadonlyMap<string, SdkName> | undefined;

/** Value of the SDK, and an entry point that has it. */
export interface SdkName {
  readonly specifier: string;
  readonly value: unknown;
}

/**
 * Adds modules that a host offers below `openclaw/plugin-sdk` in addition to the SDK, such as modules of older API
 * versions. They apply to the whole process.
 * @param modules - URLs by specifier, for example `openclaw/plugin-sdk/core`
 */
export function offerSdkModules(modules: ReadonlyMap<string, string>): void {
  for (const [specifier, url] of modules) ofHosts.set(specifier, url);
  known = undefined;
  everywhere = undefined;
}

/** Returns the modules that hosts added, by specifier. */
export function offeredSdkModules(): ReadonlyMap<string, string> {
  return ofHosts;
}

/**
 * Returns the URLs of all entry points of the host's SDK by specifier (PLUG-017), from the export map of the SDK that
 * the host imports and from the modules that hosts added.
 */
export function sdkModules(): ReadonlyMap<string, string> {
  known ??= readSdkModules();
  return known;
}

function readSdkModules(): ReadonlyMap<string, string> {
  const found = findPackageJSON(SDK, import.meta.url);
  if (found === undefined) throw new Error(`${SDK} is not installed next to the host`);
  // Node identifies a module by its real path; any other path would create a second copy.
  const manifest = realpathSync(found);
  const { exports } = JSON.parse(readFileSync(manifest, "utf8")) as { exports: object };
  const modules = new Map<string, string>();
  for (const [subpath, target] of Object.entries(exports)) {
    const file = exportTarget(target);
    if (file === undefined || !/\.[cm]?js$/.test(file)) continue;
    const url = fileUrl(join(dirname(manifest), file));
    for (const name of [SDK, ...THROUGH_HOST]) modules.set(name + subpath.slice(1), url);
  }
  for (const [specifier, url] of ofHosts) {
    const subpath = specifier.replace(MEANS_SDK, "");
    for (const name of THROUGH_HOST) modules.set(name + subpath, url);
  }
  return modules;
}

/**
 * Returns the name of the SDK in a specifier; undefined for a specifier outside the SDK.
 * @param specifier - specifier in an import of a plugin
 */
export function sdkNameOf(specifier: string): string | undefined {
  return MEANS_SDK.exec(specifier)?.[0];
}

/**
 * Returns the URL of the host's copy for a specifier.
 * @param specifier - specifier of the SDK
 * @returns undefined for an entry point that the host does not offer
 */
export function resolveSdkModule(specifier: string): string | undefined {
  const url = sdkModules().get(specifier);
  if (url === undefined || loaded.has(url)) return url;
  loaded.add(url);
  loadSdkModule(url);
  return url;
}

/**
 * Creates the error for an entry point that the host does not offer.
 * @param specifier - specifier of the SDK
 * @param importer - URL or path of the importing module
 */
export function unknownSubpath(specifier: string, importer = "the host"): SdkSubpathError {
  const name = sdkNameOf(specifier) ?? SDK;
  const offered = [...sdkModules().keys()].filter((known) => known.startsWith(name));
  return new SdkSubpathError(specifier, importer, nearestName(specifier, offered) ?? name);
}

const require = createRequire(import.meta.url);
const loaded = new Set<string>();

/**
 * Loads an entry point of the SDK synchronously into Node's module graph. Plugins load in parallel, and Node rejects a
 * `require` of a module that an `import` is still loading.
 * @param url - URL of the entry point
 * @returns the exports
 */
export function loadSdkModule(url: string): object {
  return require(fileURLToPath(url));
}

/**
 * Finds a value by its name in all entry points of the SDK. Hosts of different versions have the same functions in
 * different entry points, some of them in one for each plugin (PLUG-146).
 * @param name - exported name
 * @returns undefined when no entry point has it
 */
export function elsewhereInSdk(name: string): SdkName | undefined {
  everywhere ??= allNames();
  return everywhere.get(name);
}

function allNames(): ReadonlyMap<string, SdkName> {
  const names = new Map<string, SdkName>();
  for (const [specifier, url] of searchedSdkModules()) {
    for (const [name, value] of Object.entries(loadSdkModule(url))) {
      if (name !== "default" && !names.has(name)) names.set(name, { specifier, value });
    }
  }
  return names;
}

/** Returns the entry points in which a name is looked for, each under one specifier, in the order of precedence. */
export function searchedSdkModules(): readonly (readonly [specifier: string, url: string])[] {
  return [...sdkModules()].filter(
    ([specifier]) => specifier.startsWith(THROUGH_HOST[0]) && !specifier.endsWith("/testing"),
  );
}
