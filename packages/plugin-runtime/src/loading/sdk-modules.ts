import { readFileSync, realpathSync } from "node:fs";
import { createRequire, findPackageJSON } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { nearestName } from "@openclaw/foundation";
import { SdkSubpathError } from "../errors.js";
import { exportTarget } from "./package-exports.js";
import { fileUrl } from "./plugin-modules.js";

const SDK = "@openclaw/plugin-sdk";

/** Specifiers of the SDK within the host's package: the current name and former names. */
const THROUGH_HOST = ["openclaw/plugin-sdk", "clawdbot/plugin-sdk", "moltbot/plugin-sdk"] as const;

const MEANS_SDK = /^(?:@openclaw|openclaw|clawdbot|moltbot)\/plugin-sdk(?=\/|$)/;

const ofHosts = new Map<string, string>();
let known: ReadonlyMap<string, string> | undefined;

/**
 * Adds modules that a host offers below `openclaw/plugin-sdk` in addition to the SDK, such as modules of older API
 * versions. They apply to the whole process.
 * @param modules - URLs by specifier, for example `openclaw/plugin-sdk/core`
 */
export function offerSdkModules(modules: ReadonlyMap<string, string>): void {
  for (const [specifier, url] of modules) ofHosts.set(specifier, url);
  known = undefined;
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
 * Returns the URL of the host's copy for a specifier; undefined for a specifier outside the SDK.
 * @param specifier - specifier in an import of a plugin
 * @param importer - URL of the importing module
 * @throws SdkSubpathError for an entry point that the host does not offer
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
 * Loads an entry point of the SDK synchronously into Node's module graph. Plugins load in parallel, and Node rejects a
 * `require` of a module that an `import` is still loading.
 * @param url - URL of the entry point
 * @returns the exports
 */
export function loadSdkModule(url: string): object {
  return require(fileURLToPath(url));
}
