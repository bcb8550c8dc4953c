import type { PluginGeneration } from "@openclaw/plugin-runtime";
import { belongsTo } from "../host/tested-plugin.js";
import { DECLARABLE_KINDS, type DeclarableKind, registeredNames } from "./registered-names.js";

/** What of one kind a manifest declares and its plugin does not register, or the reverse. */
export interface DeclarationDrift {
  readonly kind: DeclarableKind;
  readonly undeclared: readonly string[];
  readonly unregistered: readonly string[];
  /** What the plugin registers, sorted. */
  readonly registered: readonly string[];
}

/**
 * Compares what a plugin's manifest declares with what the plugin registered.
 * @param generation - loaded
 * @param id - of the plugin
 * @returns one entry for each kind that differs
 */
export function declarationDrift(generation: PluginGeneration, id: string): DeclarationDrift[] {
  const registered = registeredNames(generation, id);
  const [record] = generation.plugins.filter((found) => belongsTo(id, found.id));
  return DECLARABLE_KINDS.flatMap((kind) => {
    const declared = record?.permissions[kind] ?? [];
    const names = registered[kind];
    const undeclared = names.filter((name) => !declared.some((entry) => covers(entry, name)));
    const unregistered = declared.filter((entry) => !names.some((name) => covers(entry, name)));
    if (undeclared.length === 0 && unregistered.length === 0) return [];
    return [{ kind, undeclared, unregistered, registered: names }];
  });
}

/**
 * What differs, in a sentence each.
 * @param drift - of one kind
 */
export function describeDrift({ kind, undeclared, unregistered }: DeclarationDrift): string[] {
  return [
    ...undeclared.map((name) => `it registers "${name}" and does not declare it under ${kind}`),
    ...unregistered.map((name) => `it declares "${name}" under ${kind} and does not register it`),
  ];
}

/** A declaration is a name, or a pattern in which `*` stands for anything; letter case does not matter. */
function covers(entry: string, name: string): boolean {
  const pattern = entry
    .split("*")
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
    .join(".*");
  return new RegExp(`^${pattern}$`, "i").test(name);
}
