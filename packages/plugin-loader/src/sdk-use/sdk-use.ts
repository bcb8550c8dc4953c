import { dirname, relative, resolve } from "node:path";
import { defined, nearestName } from "@openclaw/foundation";
import { sdkModules, searchedSdkModules } from "../loading/sdk-modules.js";
import { SET_UP_NAMES } from "../missing-parts/set-up-names.js";
import { moduleFileAt } from "./module-files.js";
import { importsOf } from "./module-imports.js";

/** Entry point of the SDK that a plugin imports, or a name that it takes from one. */
export interface SdkPart {
  /** Specifier in the import, for example `openclaw/plugin-sdk/core`. */
  readonly specifier: string;
  /** Name that is imported; undefined for the entry point as a whole. */
  readonly name: string | undefined;
  /** First place that imports it: relative path and line. */
  readonly place: string;
  /** False when this host does not offer it. */
  readonly offered: boolean;
  /** The offered entry point or name with the most similar spelling, of a part that is not offered. */
  readonly nearest?: string;
  /** True for a function that only a set-up of older hosts uses; it has no effect here. */
  readonly inert?: true;
  /** Entry point that has a name which the imported one lacks. */
  readonly takenFrom?: string;
}

const MEANS_SDK = /^(?:@openclaw|openclaw|clawdbot|moltbot)(?:\/plugin-sdk)?(?=\/|$)/;
/** Number of files that are read at most. */
const MAXIMUM_FILES = 3_000;

/**
 * Finds every part of the SDK that a plugin imports, from its entry through its own files, without running any of
 * them. Dependencies are not read.
 * @param entries - absolute paths of the entry files
 * @param rootDir - absolute path of the plugin's folder
 */
export async function findSdkParts(
  entries: readonly string[],
  rootDir: string,
): Promise<readonly SdkPart[]> {
  const parts = new Map<string, SdkPart>();
  const seen = new Set(entries);
  for (const file of seen) {
    if (seen.size > MAXIMUM_FILES) break;
    for (const { specifier, names, line } of await importsOf(file)) {
      if (/^\.{1,2}\//.test(specifier)) {
        const path = moduleFileAt(resolve(dirname(file), specifier), rootDir);
        if (path !== undefined) seen.add(path);
      }
      if (!MEANS_SDK.test(specifier)) continue;
      const place = `${relative(rootDir, file)}:${line}`;
      const isKnown = sdkModules().has(specifier);
      for (const name of isKnown || names.length === 0 ? [undefined, ...names] : names) {
        const key = `${specifier} ${name ?? ""}`;
        if (!parts.has(key)) parts.set(key, await partOf(specifier, name, place));
      }
    }
  }
  return [...parts.values()];
}

async function partOf(
  specifier: string,
  name: string | undefined,
  place: string,
): Promise<SdkPart> {
  const url = sdkModules().get(specifier);
  const names = url === undefined ? [] : await namesOf(url);
  if (url !== undefined && (name === undefined || names.includes(name))) {
    return { specifier, name, place, offered: true };
  }
  if (name === undefined) return lacking(specifier, name, place, [...sdkModules().keys()]);
  const takenFrom = await entryPointOf(name);
  if (takenFrom !== undefined) return { specifier, name, place, offered: true, takenFrom };
  return SET_UP_NAMES.has(name)
    ? { specifier, name, place, offered: true, inert: true }
    : lacking(specifier, name, place, names);
}

/** Returns the first entry point that has a name, as the loader finds it. */
async function entryPointOf(name: string): Promise<string | undefined> {
  for (const [specifier, url] of searchedSdkModules()) {
    if ((await namesOf(url)).includes(name)) return specifier;
  }
  return undefined;
}

async function namesOf(url: string): Promise<string[]> {
  return Object.keys((await import(url)) as object);
}

function lacking(
  specifier: string,
  name: string | undefined,
  place: string,
  offered: readonly string[],
): SdkPart {
  const nearest = nearestName(name ?? specifier, offered);
  return { specifier, name, place, offered: false, ...defined({ nearest }) };
}

/**
 * Describes the parts of the SDK that this host does not offer, one text for each entry point.
 * @param parts - parts that a plugin imports
 */
export function describeMissing(parts: readonly SdkPart[]): string[] {
  const missing = new Map<string, SdkPart[]>();
  for (const part of parts.filter(({ offered }) => !offered)) {
    missing.set(part.specifier, [...(missing.get(part.specifier) ?? []), part]);
  }
  return [...missing].map(([specifier, found]) => {
    const names = found.flatMap(({ name, nearest }) =>
      name === undefined ? [] : `"${name}"${similar(nearest)}`,
    );
    const [first] = found;
    const entryPoint = `"${specifier}"`;
    const place = `(${first?.place})`;
    return names.length === 0
      ? `${entryPoint}${similar(first?.nearest)} ${place}`
      : `${names.join(", ")} of ${entryPoint} ${place}`;
  });
}

function similar(nearest: string | undefined): string {
  return nearest === undefined ? "" : ` (nearest: "${nearest}")`;
}
