import { resolve } from "node:path";
import { defined } from "@openclaw/foundation";
import type { PluginContracts, PluginManifest } from "@openclaw/plugin-sdk/manifest";
import type { PluginOrigin } from "@openclaw/plugin-sdk/plugin-entry";
import type { JsonSchema } from "@openclaw/plugin-sdk/tools";
import { channelSettingsOf } from "../configuration/channel-section.js";
import type { PluginCandidate } from "../discovery/discovery.js";
import { type DeclaredPermissions, declaredPermissions } from "./permissions.js";

/** Facts about a plugin that are known without loading it. */
export interface PluginFacts {
  readonly id: string;
  readonly name: string;
  readonly version?: string;
  readonly description?: string;
  readonly kind?: string | readonly string[];
  /** File that the plugin is loaded from, or its manifest before it is loaded. */
  readonly source: string;
  readonly rootDir: string;
  readonly origin: PluginOrigin;
  readonly manifestPath?: string;
  readonly packageName?: string;
  /** True when the manifest has a schema for the plugin's configuration. */
  readonly configSchema: boolean;
  /** JSON Schema of the plugin's configuration from the manifest. */
  readonly settingsSchema?: JsonSchema;
  /** JSON Schema of the settings of each channel, from the manifest. */
  readonly channelSettings?: Readonly<Record<string, unknown>>;
  /** Hints of the manifest for consoles that show the configuration. */
  readonly uiHints?: Readonly<Record<string, unknown>>;
  /** Absolute paths of the skill folders that the manifest names; absent when it names none. */
  readonly skills?: readonly string[];
  /** Registrations and capabilities that the manifest declares. */
  readonly permissions: DeclaredPermissions;
  /** Names that the manifest declares by kind, also of kinds without a permission; absent when it declares none. */
  readonly contracts?: PluginContracts;
  /** True for a bundle of another tool. */
  readonly isBundle?: true;
  /** IDs that the plugin had before. */
  readonly legacyIds?: readonly string[];
}

/**
 * Returns the facts about a plugin that are known without loading it.
 * @param candidate - the plugin as found
 */
export function factsOf(candidate: PluginCandidate): PluginFacts {
  const { manifest, manifestPath, packageName } = candidate;
  return {
    id: candidate.id,
    name: manifest?.name ?? candidate.id,
    ...optionalFacts(manifest),
    ...skillFolders(candidate),
    source: candidate.source,
    rootDir: candidate.rootDir,
    origin: candidate.origin,
    ...defined({ manifestPath, packageName }),
    configSchema: manifest?.configSchema !== undefined,
    ...defined({ settingsSchema: manifest?.configSchema, uiHints: manifest?.uiHints }),
    ...defined({ channelSettings: manifest && channelSettingsOf(manifest) }),
    ...defined({ contracts: manifest?.contracts, legacyIds: manifest?.legacyPluginIds }),
    ...(candidate.bundle === undefined ? {} : { isBundle: true }),
    permissions: manifest === undefined ? {} : declaredPermissions(manifest, candidate.id),
  };
}

function skillFolders({ manifest, rootDir }: PluginCandidate) {
  const skills = manifest?.skills?.map((folder) => resolve(rootDir, folder)) ?? [];
  return skills.length === 0 ? {} : { skills };
}

function optionalFacts(manifest: PluginManifest | undefined) {
  const { version, description, kind } = manifest ?? {};
  return defined({ version, description, kind });
}
