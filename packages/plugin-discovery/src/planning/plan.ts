import { defined, didYouMean, nearestName } from "@openclaw/foundation";
import type { PluginDefinition } from "@openclaw/plugin-sdk";
import type { PluginManifest } from "@openclaw/plugin-sdk/manifest";
import { checkEntries } from "../configuration/entry-check.js";
import type {
  PluginEntryConfiguration,
  PluginsConfiguration,
} from "../configuration/plugins-configuration.js";
import type { PluginDiagnostic } from "../discovery/diagnostic.js";
import {
  discoverPlugins,
  type PluginCandidate,
  type PluginSources,
} from "../discovery/discovery.js";
import { discoverHookFolders } from "../discovery/hook-folders.js";
import { checkManifest } from "../discovery/manifest-check.js";
import { type CompatibilityProblem, checkCompatibility } from "./compatibility.js";
import { resolveDuplicates } from "./duplicates.js";
import {
  chosenFor,
  type DisabledReason,
  enablingLine,
  entryOf,
  kindsOf,
  resolveEnableState,
  SLOTS,
} from "./enable-state.js";
import { orderByRequirements } from "./requirements.js";

/** Plugin to load. */
export interface PlannedPlugin extends PluginCandidate {
  readonly manifest: PluginManifest;
  readonly entry: PluginEntryConfiguration | undefined;
  /** The plugin, when the host passed it as an object. */
  readonly definition?: PluginDefinition;
}

/** Plugin that is not loaded, with the reason. */
export type UnplannedPlugin =
  | {
      readonly candidate: PluginCandidate;
      readonly reason: DisabledReason;
      /** Configuration line that would enable it. */
      readonly line: string;
    }
  | { readonly candidate: PluginCandidate; readonly error: PluginDiagnostic };

/** Discovered plugins to load, in the order of registration, and the others. */
export interface PluginPlan {
  readonly load: readonly PlannedPlugin[];
  readonly leave: readonly UnplannedPlugin[];
  readonly diagnostics: readonly PluginDiagnostic[];
}

/** Input of a plan. */
export interface PlanSources extends PluginSources {
  readonly plugins: PluginsConfiguration;
  /** Plugins that the host passed as objects; they count as bundled. */
  readonly inline: readonly PluginDefinition[];
  /** Names of the host's tools, which are not valid as plugin ids (PLUG-032). */
  readonly reservedNames: readonly string[];
  /** Version of the host, compared with the manifests. */
  readonly hostVersion?: string;
  /** The only version of the plugin API that the host claims to support. */
  readonly pluginApi?: string;
}

/**
 * Discovers plugins and decides which to load, from manifests and configuration only; no plugin code runs (PLUG-004,
 * PLUG-010).
 * @param sources - places to search, and the configuration
 */
export async function planPlugins(sources: PlanSources): Promise<PluginPlan> {
  const { plugins } = sources;
  const discovery = discoverPlugins(sources);
  const hooks = await discoverHookFolders(sources);
  const inline = new Map(
    sources.inline.map((definition) => [inlineCandidate(definition, sources), definition]),
  );
  const candidates = [...inline.keys(), ...discovery.candidates, ...hooks.candidates];
  const { kept, given } = resolveDuplicates(candidates, plugins);

  const leave: UnplannedPlugin[] = given.map(({ loser, line }) => ({
    candidate: loser,
    reason: "duplicate",
    line,
  }));
  const on: PlannedPlugin[] = [];
  const told: PluginDiagnostic[] = [];
  for (const candidate of kept) {
    const { manifest } = candidate;
    const error = unusable(candidate, sources.reservedNames);
    if (error !== undefined || manifest === undefined) {
      if (error !== undefined) leave.push({ candidate, error });
      continue;
    }
    const problems = checkCompatibility(manifest, sources.hostVersion, sources.pluginApi);
    const conflicts = problems.some(({ conflict }) => conflict);
    const state = resolveEnableState({ ...candidate, manifest, conflicts }, plugins);
    if (state.enabled || state.reason === "version-conflict") {
      told.push(...problems.map((problem) => tellConflict(candidate, problem, state.enabled)));
    }
    if (!state.enabled) {
      const { reason } = state;
      leave.push({ candidate, reason, line: enablingLine(candidate, reason) });
      continue;
    }
    const definition = inline.get(candidate);
    const entry = entryOf(candidate, plugins);
    on.push({ ...candidate, manifest, entry, ...defined({ definition }) });
  }

  const { ordered, unmet, doubtful } = orderByRequirements(on);
  for (const { plugin: candidate } of unmet) {
    const reason = "version-conflict";
    leave.push({ candidate, reason, line: enablingLine(candidate, reason) });
  }
  return {
    load: ordered,
    leave,
    diagnostics: [
      ...discovery.diagnostics,
      ...hooks.diagnostics,
      ...candidates.flatMap((candidate) => candidate.diagnostics),
      ...given.map(({ diagnostic }) => diagnostic),
      ...leave.flatMap(tellLeft),
      ...told,
      ...unmet.map(({ plugin, message }) => tellUnmet(plugin, message)),
      ...doubtful.map(({ plugin, message }) => tellDoubtful(plugin, message)),
      ...tellSlots(candidates, plugins),
      ...tellUnknownEntries(candidates, plugins),
      ...checkEntries(plugins),
    ],
  };
}

function inlineCandidate(definition: PluginDefinition, sources: PlanSources): PluginCandidate {
  const { id, name, version, description, kind, configSchema } = definition;
  const source = `inline:${id}`;
  const fields = {
    id,
    ...defined({ name, version, description, kind }),
    // Any value; the import checks it, and the plan only records that it exists.
    ...(configSchema === undefined ? {} : { configSchema: {} }),
  };
  const { manifest, problems } = checkManifest(fields, new Set());
  return {
    id,
    origin: "bundled",
    rootDir: sources.workspaceDir ?? process.cwd(),
    source,
    manifestPath: undefined,
    named: false,
    consented: true,
    manifest,
    diagnostics: problems.map(({ code, message, hint }) => ({
      level: code === "manifest-invalid" ? "error" : "info",
      code,
      message: `plugin "${id}", given as an object, ${message}`,
      pluginId: id,
      source,
      hint,
    })),
  };
}

function unusable(
  candidate: PluginCandidate,
  reservedNames: readonly string[],
): PluginDiagnostic | undefined {
  if (candidate.manifest === undefined) {
    return candidate.diagnostics.find((diagnostic) => diagnostic.level === "error");
  }
  if (!reservedNames.includes(candidate.id)) return undefined;
  return {
    level: "error",
    code: "reserved-id",
    message: `plugin "${candidate.id}" uses the name of a host tool as its ID`,
    pluginId: candidate.id,
    source: candidate.source,
    hint: "give the plugin another id in its manifest",
  };
}

/** Returns the diagnostic for a plugin that requires another version of the host (PLUG-013). */
function tellConflict(
  { id, source }: PluginCandidate,
  { message }: CompatibilityProblem,
  enabled: boolean,
): PluginDiagnostic {
  return {
    level: enabled ? "warn" : "error",
    code: "version-conflict",
    message: `plugin "${id}" ${enabled ? "may not fit" : "is off"}: ${message}`,
    pluginId: id,
    source,
    hint: enabled
      ? "correct compat in its manifest"
      : `install a version that fits, or set plugins.entries.${id}.ignoreCompat to true`,
  };
}

function tellLeft(left: UnplannedPlugin): PluginDiagnostic[] {
  const { id, source } = left.candidate;
  if ("error" in left) return left.error.code === "reserved-id" ? [left.error] : [];
  if (left.reason !== "slot-taken") return [];
  return [
    {
      level: "info",
      code: "slot-taken",
      message: `plugin "${id}" is off: only one plugin of its kind is active, and it is not the chosen one`,
      pluginId: id,
      source,
      hint: left.line,
    },
  ];
}

function tellDoubtful({ id, source }: PluginCandidate, message: string): PluginDiagnostic {
  return {
    level: "warn",
    code: "version-conflict",
    message: `plugin "${id}" may not work: ${message}`,
    pluginId: id,
    source,
    hint: "correct requiresPlugins in its manifest, or install what it requires",
  };
}

function tellUnmet({ id, source }: PluginCandidate, message: string): PluginDiagnostic {
  return {
    level: "error",
    code: "version-conflict",
    message: `plugin "${id}" is off: ${message}`,
    pluginId: id,
    source,
    hint: "install and turn on what it requires, or remove the requirement",
  };
}

/** Returns a diagnostic for each slot that is empty because it names an unknown plugin or one of another kind (PLUG-012). */
function tellSlots(
  candidates: readonly PluginCandidate[],
  plugins: PluginsConfiguration,
): PluginDiagnostic[] {
  const ids = candidates.map(({ id }) => id);
  return SLOTS.flatMap((slot): PluginDiagnostic[] => {
    const chosen = plugins.slots?.[slot.name] === undefined ? undefined : chosenFor(slot, plugins);
    if (chosen === undefined || chosen === "none") return [];
    const occupant = candidates.find(({ id }) => id === chosen)?.manifest;
    if (occupant !== undefined && !kindsOf(occupant).includes(slot.kind)) {
      return [
        {
          level: "error",
          code: "slot-unknown",
          message: `plugins.slots.${slot.name} names "${chosen}", which is not of kind ${slot.kind}; the slot is empty`,
          hint: `name a plugin of kind ${slot.kind}, or set the slot to "none"`,
        },
      ];
    }
    if (ids.includes(chosen)) return [];
    return [
      {
        level: "error",
        code: "slot-unknown",
        message: `plugins.slots.${slot.name} names "${chosen}", which is not installed; the slot is empty`,
        hint: didYouMean(nearestName(chosen, ids)) ?? 'install it, or set the slot to "none"',
      },
    ];
  });
}

function tellUnknownEntries(
  candidates: readonly PluginCandidate[],
  plugins: PluginsConfiguration,
): PluginDiagnostic[] {
  const known = new Set(
    candidates.flatMap(({ id, manifest }) => [id, ...(manifest?.legacyPluginIds ?? [])]),
  );
  return Object.keys(plugins.entries ?? {})
    .filter((id) => !known.has(id))
    .map((id) => ({
      level: "warn",
      code: "config-unknown-id",
      message: `plugins.entries.${id} refers to a plugin that was not found`,
      hint: didYouMean(nearestName(id, known)) ?? `install "${id}", or remove the entry`,
    }));
}
