import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { errorMessage } from "@openclaw/foundation";
import { fieldsOf, idFromName, isFile, textsOf } from "@openclaw/plugin-discovery";
import semver from "semver";
import { MarketplacePluginError } from "../errors.js";
import { COMPONENTS, type MarketplaceEntry } from "./marketplace-file.js";

/** Plugin that an operator named as `<plugin>@<marketplace>`. */
export interface ListedPlugin {
  readonly specifier: string;
  readonly marketplace: string;
  readonly entry: MarketplaceEntry;
}

const MARKER = ".claude-plugin/plugin.json";
/** Manifests whose plugin declares its parts itself. */
const OTHER_MARKERS = [
  "openclaw.plugin.json",
  ".codex-plugin/plugin.json",
  ".cursor-plugin/plugin.json",
  "gemini-extension.json",
];
/** Fields that hold paths, of which both lists are used. */
const PATHS = new Set(["skills", "commands", "agents"]);

/**
 * Writes what the entry of a marketplace declares for its plugin into the manifest of the plugin, so that consent, loading
 * and reports read one description (EXT-545).
 * @param dir - unpacked plugin
 * @param listed - plugin and its entry
 * @throws MarketplacePluginError when the entry and the plugin contradict each other
 */
export async function completeManifest(dir: string, listed: ListedPlugin): Promise<void> {
  if (OTHER_MARKERS.some((file) => isFile(join(dir, file)))) return;
  const { entry } = listed;
  const path = join(dir, MARKER);
  const own = isFile(path) ? await readManifest(path, listed) : undefined;
  const manifest: Record<string, unknown> = {
    name: entry.name,
    ...(entry.description === undefined ? {} : { description: entry.description }),
    ...(entry.version === undefined ? {} : { version: entry.version }),
    ...own,
    ...(entry.strict ? {} : { strict: false }),
  };
  for (const key of COMPONENTS) {
    const added = entry.components[key];
    if (added === undefined) continue;
    const declared = own?.[key];
    if (declared === undefined) manifest[key] = added;
    else if (entry.strict && PATHS.has(key)) {
      manifest[key] = [...new Set([...textsOf(declared), ...textsOf(added)])];
    } else {
      throw new MarketplacePluginError(
        listed.specifier,
        `the marketplace and the manifest of the plugin both declare ${key}, and the result would depend on which is read`,
      );
    }
  }
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `${JSON.stringify(manifest, null, 2)}\n`);
}

/**
 * Checks that a plugin is the one that the marketplace offers.
 * @param plugin - manifest of the unpacked plugin
 * @param listed - plugin and its entry
 * @param installed - version that is installed
 * @param options - `force` installs an older version
 * @throws MarketplacePluginError when the name or the version differs, or when the version is older than the installed one
 */
export function assertListed(
  { id, version }: { readonly id: string; readonly version?: string | undefined },
  { entry, specifier }: ListedPlugin,
  installed: string | undefined,
  { force = false }: { readonly force?: boolean | undefined },
): void {
  if (id !== idFromName(entry.name)) {
    throw new MarketplacePluginError(
      specifier,
      `the marketplace offers "${entry.name}", but the plugin is "${id}"`,
    );
  }
  if (entry.version !== undefined && version !== undefined && entry.version !== version) {
    throw new MarketplacePluginError(
      specifier,
      `the marketplace offers version ${entry.version}, but the plugin is version ${version}`,
    );
  }
  if (force || installed === undefined || version === undefined) return;
  const [before, after] = [semver.valid(installed), semver.valid(version)];
  if (before === null || after === null || !semver.lt(after, before)) return;
  throw new MarketplacePluginError(
    specifier,
    `the marketplace offers version ${version}, which is older than the installed ${installed}`,
    "ask the owner for the reason; install it with --force if you want the older version",
  );
}

async function readManifest(
  path: string,
  { specifier }: ListedPlugin,
): Promise<Readonly<Record<string, unknown>>> {
  try {
    return fieldsOf(JSON.parse(await readFile(path, "utf8")));
  } catch (error) {
    throw new MarketplacePluginError(
      specifier,
      `its ${MARKER} is not valid JSON: ${errorMessage(error)}`,
    );
  }
}
