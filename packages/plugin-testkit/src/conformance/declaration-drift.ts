import type { PluginGeneration } from "@openclaw/plugin-runtime";
import { belongsTo } from "../host/tested-plugin.js";
import { DECLARABLE_KINDS, type DeclarableKind, registeredNames } from "./registered-names.js";

/** Differences of one kind between a manifest's declarations and its plugin's registrations. */
export interface DeclarationDrift {
  readonly kind: DeclarableKind;
  readonly undeclared: readonly string[];
  readonly unregistered: readonly string[];
  /** Names that the manifest has to declare, sorted. */
  readonly required: readonly string[];
}

/** Kinds that a plugin may register with another configuration only. */
const DEPENDENT_KINDS: ReadonlySet<DeclarableKind> = new Set(["routes", "tools"]);

/**
 * Compares a plugin's manifest with its registrations. A plugin with reload rules may declare routes and tools that it
 * registers with another configuration only, such as those of a webhook or of a server.
 * @param generation - a loaded generation
 * @param id - id of the plugin
 * @returns one entry for each kind that differs
 */
export function declarationDrift(generation: PluginGeneration, id: string): DeclarationDrift[] {
  const registered = registeredNames(generation, id);
  const [record] = generation.plugins.filter((found) => belongsTo(id, found.id));
  const mayWait = generation.reloadRules.some(({ pluginId }) => belongsTo(id, pluginId));
  return DECLARABLE_KINDS.flatMap((kind) => {
    const declared = record?.permissions[kind] ?? [];
    const names = registered[kind];
    const undeclared = names.filter((name) => !declared.some((entry) => covers(entry, name)));
    const absent = declared.filter((entry) => !names.some((name) => covers(entry, name)));
    const isWaiting = mayWait && DEPENDENT_KINDS.has(kind);
    // A plugin that declares `*`, or all routes below a path, gets its names while it runs, for example from what an
    // operator installs.
    const unregistered = isWaiting ? [] : absent.filter((entry) => !isOpen(kind, entry));
    const waiting = absent.filter((entry) => !unregistered.includes(entry));
    if (undeclared.length === 0 && unregistered.length === 0) return [];
    return [{ kind, undeclared, unregistered, required: [...names, ...waiting].sort() }];
  });
}

function isOpen(kind: DeclarableKind, entry: string): boolean {
  return entry === "*" || (kind === "routes" && entry.endsWith("/*"));
}

/**
 * Returns the differences, one sentence each.
 * @param drift - differences of one kind
 */
export function describeDrift({ kind, undeclared, unregistered }: DeclarationDrift): string[] {
  return [
    ...undeclared.map((name) => `it registers "${name}" and does not declare it under ${kind}`),
    ...unregistered.map((name) => `it declares "${name}" under ${kind} and does not register it`),
  ];
}

/**
 * A declaration is a name, or a pattern in which `*` matches any text; letter case does not matter.
 */
function covers(entry: string, name: string): boolean {
  const pattern = entry
    .split("*")
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
    .join(".*");
  return new RegExp(`^${pattern}$`, "i").test(name);
}
