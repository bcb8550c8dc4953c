import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { LobsterEngineError } from "../errors.js";

/** Package of the engine, and the version that this plugin is tested with (LOB-036). */
export const ENGINE = {
  name: "@clawdbot/lobster",
  version: "2026.9.13",
  entry: "@clawdbot/lobster/core",
} as const;

/** Installed engine. */
export interface Engine {
  /** Folder of its package. */
  readonly folder: string;
  /** URL of its entry. */
  readonly entry: string;
  readonly version: string;
}

/**
 * Finds the engine without loading it.
 * @param resolve - returns the URL of a module; that of this file's module system when absent
 * @throws LobsterEngineError when it is missing or is another version
 */
export function findEngine(
  resolve: (specifier: string) => string = (specifier) => import.meta.resolve(specifier),
): Engine {
  const install = `install it with \`npm install ${ENGINE.name}@${ENGINE.version}\` next to the plugin`;
  let url: string;
  let entry: string;
  try {
    url = resolve(ENGINE.entry);
    entry = fileURLToPath(url);
  } catch (cause) {
    throw new LobsterEngineError(`the engine ${ENGINE.name} is not installed; ${install}`, {
      cause,
    });
  }
  for (let folder = dirname(entry); folder !== dirname(folder); folder = dirname(folder)) {
    const manifest = readManifest(join(folder, "package.json"));
    if (manifest?.name !== ENGINE.name) continue;
    if (manifest.version !== ENGINE.version) {
      throw new LobsterEngineError(
        `the engine ${ENGINE.name} has version ${manifest.version}, and this plugin needs ${ENGINE.version}; ${install}`,
      );
    }
    return { folder, entry: url, version: manifest.version };
  }
  throw new LobsterEngineError(
    `the package of ${ENGINE.name} was not found at ${entry}; ${install}`,
  );
}

function readManifest(
  file: string,
): { readonly name: string; readonly version: string } | undefined {
  try {
    const { name, version } = JSON.parse(readFileSync(file, "utf8")) as {
      name?: unknown;
      version?: unknown;
    };
    return { name: String(name), version: String(version) };
  } catch {
    return undefined;
  }
}
