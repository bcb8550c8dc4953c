import { readFileSync, realpathSync } from "node:fs";
import { findPackageJSON } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { SdkSubpathError } from "./errors.js";
import { nearestNames } from "./nearest.js";
import { exportTarget } from "./package-exports.js";

/** The names under which plugins import the SDK. */
const SDK_NAMES = ["@openclaw/plugin-sdk", "openclaw/plugin-sdk"] as const;

/**
 * The address of every part of the host's one copy of the SDK, by every specifier that means it
 * (PLUG-017), read from the export map of the SDK that the host itself imports.
 */
export function sdkModules(): ReadonlyMap<string, string> {
  known ??= readSdkModules();
  return known;
}

let known: ReadonlyMap<string, string> | undefined;

function readSdkModules(): ReadonlyMap<string, string> {
  const found = findPackageJSON(SDK_NAMES[0], import.meta.url);
  if (found === undefined) throw new Error(`${SDK_NAMES[0]} is not installed beside the host`);
  // Node knows a module by its real path; by any other it would be a second copy.
  const manifest = realpathSync(found);
  const { exports } = JSON.parse(readFileSync(manifest, "utf8")) as { exports: object };
  const modules = new Map<string, string>();
  for (const [subpath, target] of Object.entries(exports)) {
    const file = exportTarget(target);
    if (file === undefined || !/\.[cm]?js$/.test(file)) continue;
    const url = pathToFileURL(join(dirname(manifest), file)).href;
    for (const name of SDK_NAMES) modules.set(name + subpath.slice(1), url);
  }
  return modules;
}

/**
 * The address of the host's copy for a specifier; undefined for one that does not mean the SDK.
 * @param specifier - as a plugin's module imports it
 * @param importer - address of that module
 * @throws SdkSubpathError for a part that the SDK does not have
 */
export function resolveSdkModule(specifier: string, importer: string): string | undefined {
  const name = SDK_NAMES.find((sdk) => specifier === sdk || specifier.startsWith(`${sdk}/`));
  if (name === undefined) return undefined;
  const modules = sdkModules();
  const url = modules.get(specifier);
  if (url !== undefined) return url;
  const offered = [...modules.keys()].filter((known) => known.startsWith(name));
  throw new SdkSubpathError(specifier, importer, nearestNames(specifier, offered, 1)[0] ?? name);
}
