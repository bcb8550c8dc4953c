import { resolve } from "node:path";
import { defined } from "@openclaw/foundation";
import type { PluginManifest } from "@openclaw/plugin-sdk/manifest";
import type { PluginOrigin } from "@openclaw/plugin-sdk/plugin-entry";
import type { PluginCandidate } from "../discovery/discovery.js";
import type { ApiProfile } from "../instances/api-vintage.js";
import { type DeclaredPermissions, declaredPermissions } from "../instances/permissions.js";
import type { ModuleLoaderName } from "../loading/module-loader.js";
import type { DisabledReason } from "../planning/enable-state.js";
import type { RegisteredNames } from "../registration/registry.js";

/** What became of a plugin. */
export type PluginStatus =
  | { readonly enabled: true; readonly status: "loaded" }
  | {
      readonly enabled: false;
      readonly status: "disabled";
      readonly reason: DisabledReason;
      /** The line of the configuration that would turn it on. */
      readonly hint: string;
    }
  | {
      readonly enabled: boolean;
      readonly status: "error";
      /** The code of the diagnostic and what went wrong. */
      readonly error: { readonly code: string; readonly message: string };
    };

/** What is known of a plugin without loading it. */
export interface PluginFacts {
  readonly id: string;
  readonly name: string;
  readonly version?: string;
  readonly description?: string;
  readonly kind?: string | readonly string[];
  /** File the plugin is loaded from, or its manifest before it is loaded. */
  readonly source: string;
  readonly rootDir: string;
  readonly origin: PluginOrigin;
  readonly manifestPath?: string;
  readonly packageName?: string;
  /** Whether the manifest has a schema for the plugin's configuration. */
  readonly configSchema: boolean;
  /** Folders of skills that the manifest names, absolute; absent when it names none. */
  readonly skills?: readonly string[];
  /** What the manifest declares that the plugin registers and uses. */
  readonly permissions: DeclaredPermissions;
}

/** How a plugin's code was loaded. */
export interface PluginLoading {
  /** Generation in which it registered; an earlier one when it was carried over. */
  readonly generation: number;
  /** `inline` for a plugin that the host gave as an object. */
  readonly loader: ModuleLoaderName | "inline" | "none";
  /** Time its import took, in milliseconds. */
  readonly loadMs: number;
  /** Time its `register` took, in milliseconds. */
  readonly registerMs: number;
  /** `configSchema` as its module exports it; `manifestSchemaOf` gives the JSON form. */
  readonly exportedSchema?: unknown;
}

/** What the use of the `api` tells of a plugin. */
export interface PluginUse {
  /** The version of the API that it was written for, as far as it shows. */
  readonly profile: ApiProfile;
}

/** One plugin in a generation, whether it is on or not (PLUG-015, PLUG-026). */
export type PluginRecord = PluginFacts &
  PluginStatus &
  RegisteredNames &
  Partial<PluginLoading & PluginUse>;

/**
 * What is known of a plugin without loading it.
 * @param candidate - as it was found
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
    permissions: manifest === undefined ? {} : declaredPermissions(manifest),
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
