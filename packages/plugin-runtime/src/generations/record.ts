import { resolve } from "node:path";
import { defined } from "@openclaw/foundation";
import type { PluginManifest } from "@openclaw/plugin-sdk/manifest";
import type { PluginOrigin } from "@openclaw/plugin-sdk/plugin-entry";
import type { JsonSchema } from "@openclaw/plugin-sdk/tools";
import type { PluginCandidate } from "../discovery/discovery.js";
import type { ApiProfile } from "../instances/api-vintage.js";
import { type DeclaredPermissions, declaredPermissions } from "../instances/permissions.js";
import type { ModuleLoaderName } from "../loading/module-loader.js";
import type { DisabledReason } from "../planning/enable-state.js";
import type { RegisteredNames } from "../registration/registry.js";
import type { SdkPart } from "../sdk-use/sdk-use.js";

/** State of a plugin after a load. */
export type PluginStatus =
  | { readonly enabled: true; readonly status: "loaded" }
  | {
      readonly enabled: false;
      readonly status: "disabled";
      readonly reason: DisabledReason;
      /** The line of the configuration that would enable it. */
      readonly hint: string;
    }
  | {
      readonly enabled: boolean;
      readonly status: "error";
      /** The code and message of the diagnostic. */
      readonly error: { readonly code: string; readonly message: string };
    };

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
}

/** Facts about the load of a plugin's code. */
export interface PluginLoading {
  /** Generation in which it registered; an earlier one when it was carried over. */
  readonly generation: number;
  /** `inline` for a plugin that the host gave as an object. */
  readonly loader: ModuleLoaderName | "inline" | "none";
  /** Duration of its import, in milliseconds. */
  readonly loadMs: number;
  /** Duration of its `register`, in milliseconds. */
  readonly registerMs: number;
  /** Parts of the SDK that it imports and this host lacks; absent when it has them all. */
  readonly missingParts?: readonly SdkPart[];
  /** `configSchema` as its module exports it; `manifestSchemaOf` gives the JSON form. */
  readonly exportedSchema?: unknown;
}

/** Facts that the plugin's use of the `api` shows. */
export interface PluginUse {
  /** The API version that it was written for, as far as its calls show it. */
  readonly profile: ApiProfile;
}

/** One plugin in a generation, enabled or not (PLUG-015, PLUG-026). */
export type PluginRecord = PluginFacts &
  PluginStatus &
  RegisteredNames &
  Partial<PluginLoading & PluginUse>;

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
    ...defined({ channelSettings: manifest?.channelSettings }),
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
