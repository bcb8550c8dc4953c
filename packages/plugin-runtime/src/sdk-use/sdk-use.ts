import { dirname, relative, resolve } from "node:path";
import { sdkModules } from "../loading/sdk-modules.js";
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
      // The names of a module that is missing are missing with it.
      const named = sdkModules().has(specifier) ? names : [];
      for (const name of [undefined, ...named]) {
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
  const offered =
    url !== undefined && (name === undefined || name in ((await import(url)) as object));
  return { specifier, name, place, offered };
}

/**
 * Describes the parts of the SDK that this host does not offer, in one sentence part for each entry point.
 * @param parts - parts that a plugin imports
 */
export function describeMissing(parts: readonly SdkPart[]): string[] {
  return parts
    .filter(({ offered }) => !offered)
    .map(({ specifier, name, place }) =>
      name === undefined ? `"${specifier}" (${place})` : `"${name}" of "${specifier}" (${place})`,
    );
}
