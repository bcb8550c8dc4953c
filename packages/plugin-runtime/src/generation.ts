import type { PluginDiagnostic } from "./diagnostic.js";
import type { PluginInstance } from "./plugin-instance.js";
import type { PluginFacts, PluginLoading, PluginRecord, PluginStatus } from "./plugin-record.js";
import {
  REGISTRY_KINDS,
  type RegisteredNames,
  type Registration,
  type RegistryKind,
  type RegistryLists,
  registeredNames,
} from "./registry.js";

/** The plugins of one moment and all they registered; never changes (PLUG-027). */
export interface PluginGeneration extends RegistryLists {
  /** Counts from 1; 0 before the first load. */
  readonly number: number;
  readonly plugins: readonly PluginRecord[];
  readonly diagnostics: readonly PluginDiagnostic[];
}

/** One plugin as the runtime keeps it. */
export interface PluginState {
  readonly facts: PluginFacts;
  readonly status: PluginStatus;
  readonly loading?: PluginLoading;
  readonly instance?: PluginInstance;
}

/** What a generation is put together from. */
export interface GenerationParts {
  readonly number: number;
  readonly states: readonly PluginState[];
  readonly diagnostics: readonly PluginDiagnostic[];
  /** Names of the host's own tools. */
  readonly reservedNames: readonly string[];
}

/**
 * Puts a generation together. Of two things with the same name the one registered first stays; the
 * other is left out, and both owners are named (PLUG-032).
 * @param parts - the plugins, and what was said of them as a whole
 */
export function assembleGeneration(parts: GenerationParts): PluginGeneration {
  const instances = parts.states.flatMap(({ instance }) => instance ?? []);
  const { kept, refused } = keepFirst(instances, parts.reservedNames);
  return Object.freeze({
    number: parts.number,
    plugins: Object.freeze(parts.states.map((state) => record(state, kept))),
    ...lists(kept),
    diagnostics: Object.freeze([
      ...parts.diagnostics,
      ...instances.flatMap(({ diagnostics }) => diagnostics),
      ...refused,
    ]),
  });
}

function keepFirst(instances: readonly PluginInstance[], reservedNames: readonly string[]) {
  const all = instances
    .flatMap((instance) => [...instance.registrations])
    .sort((a, b) => a.sequence - b.sequence);
  const owners = new Map<string, string>();
  for (const name of reservedNames) owners.set(ownerKey("tools", name), "the host itself");
  const kept: Registration[] = [];
  const refused: PluginDiagnostic[] = [];
  for (const registration of all) {
    const { kind } = registration;
    const names = REGISTRY_KINDS[kind].unique ? registeredNames(registration) : [];
    const taken = names.find((name) => owners.has(ownerKey(kind, name)));
    if (taken !== undefined) {
      refused.push(tellTaken(registration, taken, owners.get(ownerKey(kind, taken)) ?? ""));
      continue;
    }
    const owner = `plugin "${registration.item.pluginId}"`;
    for (const name of names) owners.set(ownerKey(kind, name), owner);
    kept.push(registration);
  }
  return { kept, refused };
}

function ownerKey(kind: RegistryKind, name: string): string {
  return `${kind} ${name.toLowerCase()}`;
}

function tellTaken({ kind, item }: Registration, name: string, owner: string): PluginDiagnostic {
  const { label } = REGISTRY_KINDS[kind];
  return {
    level: "error",
    code: "name-taken",
    message: `${label} "${name}" of plugin "${item.pluginId}" is left out: ${owner} has a ${label} of that name`,
    pluginId: item.pluginId,
    source: item.source,
    hint: `give the ${label} another name, or turn one of the two plugins off`,
  };
}

const KINDS = Object.keys(REGISTRY_KINDS) as RegistryKind[];

function lists(kept: readonly Registration[]): RegistryLists {
  const byKind = KINDS.map((kind) => [
    kind,
    Object.freeze(kept.filter((one) => one.kind === kind).map(({ item }) => item)),
  ]);
  return Object.fromEntries(byKind) as RegistryLists;
}

function record(
  { facts, status, loading, instance }: PluginState,
  kept: readonly Registration[],
): PluginRecord {
  const registered = new Set(instance?.registrations);
  const own = kept.filter((registration) => registered.has(registration));
  const names = KINDS.map((kind) => [
    REGISTRY_KINDS[kind].recordField,
    Object.freeze([
      ...new Set(own.filter((one) => one.kind === kind).flatMap((one) => registeredNames(one))),
    ]),
  ]);
  return Object.freeze({
    ...facts,
    ...status,
    ...loading,
    ...(Object.fromEntries(names) as RegisteredNames),
  });
}
