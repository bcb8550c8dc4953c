import type { PluginDiagnostic, PluginFacts } from "@openclaw/plugin-discovery";
import type { PluginInstance } from "../instances/instance.js";
import type { PluginPromptRegistration } from "../offers/prompt.js";
import { promptCommand } from "../offers/prompt-command.js";
import type { PluginResourceRegistration } from "../offers/resource.js";
import { resourceTools } from "../offers/resource-tools.js";
import {
  REGISTRY_KINDS,
  REGISTRY_LISTS,
  type RegisteredNames,
  type Registration,
  type RegistryLists,
  registeredNames,
} from "../registration/registry.js";
import type { RegistryKind } from "../registration/registry-kinds.js";
import type { PluginLoading, PluginRecord, PluginStatus } from "./record.js";

/** The plugins of one moment and all their registrations; immutable (PLUG-027). */
export interface PluginGeneration extends RegistryLists {
  /** Counts from 1; 0 before the first load. */
  readonly number: number;
  readonly plugins: readonly PluginRecord[];
  readonly diagnostics: readonly PluginDiagnostic[];
}

/** State of one plugin in the runtime. */
export interface PluginState {
  /**
   * Id of the plugin in its manifest; several states share it when the plugin has several entries.
   */
  readonly planId: string;
  /** Position among the plugins; a reloaded plugin keeps it. */
  readonly rank: number;
  readonly facts: PluginFacts;
  readonly status: PluginStatus;
  readonly loading?: PluginLoading;
  readonly instance?: PluginInstance;
}

/** Names reserved for the host, by list of the registry. */
export type ReservedNames = { readonly [Kind in RegistryKind]?: readonly string[] };

/** Content of a new generation. */
export interface GenerationParts {
  readonly number: number;
  readonly states: readonly PluginState[];
  readonly diagnostics: readonly PluginDiagnostic[];
  readonly reservedNames: ReservedNames;
}

/**
 * Creates a generation. Of two registrations with the same name the first is kept; the other is
 * omitted, and both owners are named (PLUG-032).
 * @param parts - the plugins, and the diagnostics about the whole
 */
export function assembleGeneration(parts: GenerationParts): PluginGeneration {
  const instances = parts.states.flatMap(({ instance }) => instance ?? []);
  const own = keepFirst(inOrder(instances), parts.reservedNames);
  const { kept, refused: made } = keepFirst(
    [...own.kept, ...madeFrom(own.kept)],
    parts.reservedNames,
  );
  const refused = [...own.refused, ...made];
  const names = namesByPlugin(kept);
  return Object.freeze({
    number: parts.number,
    plugins: Object.freeze(parts.states.map((state) => record(state, names))),
    ...listsOf(kept),
    diagnostics: Object.freeze([
      ...parts.diagnostics,
      ...instances.flatMap(({ diagnostics }) => diagnostics),
      ...refused,
    ]),
  });
}

/** Returns the commands of the prompts of the plugins, and the tools of their resources. */
function madeFrom(kept: readonly Registration[]): Registration[] {
  const prompts: PluginPromptRegistration[] = [];
  const resources = new Map<string, PluginResourceRegistration[]>();
  for (const { kind, item } of kept) {
    if (kind === "prompts") prompts.push(item);
    if (kind === "resources") {
      resources.set(item.pluginId, [...(resources.get(item.pluginId) ?? []), item]);
    }
  }
  const place = { sequence: Number.POSITIVE_INFINITY, late: false };
  return [
    ...prompts.map((each) => ({ kind: "commands" as const, item: promptCommand(each), ...place })),
    ...[...resources.values()]
      .flatMap((each) => resourceTools(each))
      .map((item) => ({ kind: "tools" as const, item, ...place })),
  ];
}

/**
 * The order of registration, as a fresh start would have it: a reloaded plugin keeps its position.
 * Late registrations follow in the order of arrival.
 */
function inOrder(instances: readonly PluginInstance[]): Registration[] {
  const all = instances.flatMap(({ registrations }) => [...registrations]);
  return [
    ...all.filter(({ late }) => !late),
    ...all.filter(({ late }) => late).sort((a, b) => a.sequence - b.sequence),
  ];
}

function keepFirst(all: readonly Registration[], reserved: ReservedNames) {
  const owners = new Map<string, string>();
  for (const kind of REGISTRY_LISTS) {
    for (const name of reserved[kind] ?? []) owners.set(ownerKey(kind, name), "the host itself");
  }
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

function listsOf(kept: readonly Registration[]): RegistryLists {
  const lists = new Map<RegistryKind, Registration["item"][]>(
    REGISTRY_LISTS.map((kind) => [kind, []]),
  );
  for (const { kind, item } of kept) lists.get(kind)?.push(item);
  return Object.fromEntries(
    [...lists].map(([kind, list]) => [kind, Object.freeze(list)]),
  ) as unknown as RegistryLists;
}

type NamesOfPlugin = Map<RegistryKind, Set<string>>;

function namesByPlugin(kept: readonly Registration[]): ReadonlyMap<string, NamesOfPlugin> {
  const byPlugin = new Map<string, NamesOfPlugin>();
  for (const registration of kept) {
    const { kind, item } = registration;
    const kinds: NamesOfPlugin = byPlugin.get(item.pluginId) ?? new Map();
    byPlugin.set(item.pluginId, kinds);
    const names = kinds.get(kind) ?? new Set();
    kinds.set(kind, names);
    for (const name of registeredNames(registration)) names.add(name);
  }
  return byPlugin;
}

function record(
  { facts, status, loading, instance }: PluginState,
  names: ReadonlyMap<string, NamesOfPlugin>,
): PluginRecord {
  const own = instance === undefined ? undefined : names.get(facts.id);
  const registered = REGISTRY_LISTS.flatMap((kind) => {
    const { recordField } = REGISTRY_KINDS[kind];
    return recordField === null ? [] : [[recordField, Object.freeze([...(own?.get(kind) ?? [])])]];
  });
  return Object.freeze({
    ...facts,
    ...status,
    ...loading,
    ...(instance === undefined ? {} : { profile: instance.profile }),
    ...(Object.fromEntries(registered) as RegisteredNames),
  });
}
