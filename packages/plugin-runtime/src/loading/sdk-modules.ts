import { readFileSync, realpathSync } from "node:fs";
import { createRequire, findPackageJSON } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { nearestName } from "@openclaw/foundation";
import { SdkSubpathError } from "../errors.js";
import { exportTarget } from "./package-exports.js";
import { fileUrl } from "./plugin-modules.js";

const SDK = "@openclaw/plugin-sdk";

/** The SDK as seen through the host's package, by the name it has now and those it had. */
const THROUGH_HOST = ["openclaw/plugin-sdk", "clawdbot/plugin-sdk", "moltbot/plugin-sdk"] as const;

const MEANS_SDK = /^(?:@openclaw|openclaw|clawdbot|moltbot)\/plugin-sdk(?=\/|$)/;

const ofHosts = new Map<string, string>();
let known: ReadonlyMap<string, string> | undefined;

/**
 * Adds what a host offers below `openclaw/plugin-sdk` beyond the SDK: modules of older vintages, and
 * its own spelling of the SDK's. They count for the whole process.
 * @param modules - addresses by specifier, for example `openclaw/plugin-sdk/core`
 */
export function offerSdkModules(modules: ReadonlyMap<string, string>): void {
  for (const [specifier, url] of modules) ofHosts.set(specifier, url);
  known = undefined;
}

/**
 * The address of every part of the host's one copy of the SDK, by every specifier that means it
 * (PLUG-017), from the export map of the SDK that the host itself imports and from what hosts offered.
 */
export function sdkModules(): ReadonlyMap<string, string> {
  known ??= readSdkModules();
  return known;
}

function readSdkModules(): ReadonlyMap<string, string> {
  const found = findPackageJSON(SDK, import.meta.url);
  if (found === undefined) throw new Error(`${SDK} is not installed beside the host`);
  // Node knows a module by its real path; by any other it would be a second copy.
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
 * The address of the host's copy for a specifier; undefined for one that does not mean the SDK.
 * @param specifier - as a plugin's module imports it
 * @param importer - address of that module
 * @throws SdkSubpathError for a part that the host does not offer
 */
export function resolveSdkModule(
  specifier: string,
  importer: string | undefined,
): string | undefined {
  const name = MEANS_SDK.exec(specifier)?.[0];
  if (name === undefined) return undefined;
  const modules = sdkModules();
  const url = modules.get(specifier);
  if (url !== undefined) {
    if (!loaded.has(url)) {
      loaded.add(url);
      loadSdkModule(url);
    }
    return url;
  }
  const offered = [...modules.keys()].filter((known) => known.startsWith(name));
  throw new SdkSubpathError(
    specifier,
    importer ?? "the host",
    nearestName(specifier, offered) ?? name,
  );
}

const require = createRequire(import.meta.url);
const loaded = new Set<string>();

/**
 * Loads a part of the SDK at once, into the module graph that `import` uses too. Plugins are loaded side
 * by side, and Node refuses a `require` of a module that an `import` elsewhere is still loading.
 * @param url - its address
 * @returns its exports
 */
export function loadSdkModule(url: string): object {
  return require(fileURLToPath(url));
}
