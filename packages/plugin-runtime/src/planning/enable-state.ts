import type { PluginManifest } from "@openclaw/plugin-sdk/manifest";
import type { PluginOrigin } from "@openclaw/plugin-sdk/plugin-entry";
import type {
  PluginEntryConfiguration,
  PluginsConfiguration,
} from "../configuration/plugins-configuration.js";

/** Why a plugin is off, for programs (PLUG-010). */
export type DisabledReason =
  | "plugins-disabled"
  | "denied"
  | "entry-disabled"
  | "not-allowed"
  | "slot-taken"
  | "version-conflict"
  | "workspace-default"
  | "default-off"
  | "duplicate";

/** Whether a plugin is on, and why not. */
export type EnableState =
  | { readonly enabled: true }
  | { readonly enabled: false; readonly reason: DisabledReason };

/** What decides whether a plugin is on. */
export interface EnableSubject {
  readonly id: string;
  readonly origin: PluginOrigin;
  /** True when the operator named its path. */
  readonly named: boolean;
  /** True when its manifest asks for another host; false when absent. */
  readonly conflicts?: boolean;
  readonly manifest: PluginManifest;
}

type SlotName = keyof NonNullable<PluginsConfiguration["slots"]>;

interface Slot {
  readonly name: SlotName;
  readonly kind: string;
  /** The plugin that is active when the configuration is silent. */
  readonly occupant: string | undefined;
  /** Older names that the configuration may use. */
  readonly aliases: Readonly<Record<string, string>>;
}

/** The kinds of which only one plugin is active (PLUG-011). */
export const SLOTS: readonly Slot[] = [
  { name: "memory", kind: "memory", occupant: "memory", aliases: { "memory-core": "memory" } },
  {
    name: "contextEngine",
    kind: "context-engine",
    occupant: undefined,
    aliases: { legacy: "none" },
  },
];

/**
 * Decides whether a plugin is on; pure, the first rule that matches decides (PLUG-010). What a plugin
 * requires of others is decided afterwards, among those that are on.
 * @param subject - the plugin as it was found
 * @param plugins - the `plugins` section of the configuration
 */
export function resolveEnableState(
  subject: EnableSubject,
  plugins: PluginsConfiguration,
): EnableState {
  const { id, manifest } = subject;
  const listed = allowedIds(plugins);
  const entry = entryOf(subject, plugins);
  if (plugins.enabled === false) return off("plugins-disabled");
  if (names([...(plugins.deny ?? []), ...(plugins.disabled ?? [])], id)) return off("denied");
  if (entry?.enabled === false) return off("entry-disabled");
  if (listed.length > 0 && !names(listed, id)) return off("not-allowed");
  const slots = SLOTS.filter((slot) => kindsOf(manifest).includes(slot.kind));
  if (slots.some((slot) => chosenFor(slot, plugins) !== id)) return off("slot-taken");
  if (subject.conflicts === true && entry?.ignoreCompat !== true) return off("version-conflict");
  const asked = entry?.enabled === true || subject.named || slots.length > 0;
  if (subject.origin === "workspace" && !asked) return off("workspace-default");
  if (manifest.enabledByDefault === false && !asked) return off("default-off");
  return { enabled: true };
}

/**
 * The plugin that a slot is given to; undefined or `none` when it stays empty.
 * @param slot - one of `SLOTS`
 * @param plugins - the `plugins` section of the configuration
 */
export function chosenFor(slot: Slot, plugins: PluginsConfiguration): string | undefined {
  const chosen = plugins.slots?.[slot.name] ?? slot.occupant;
  if (chosen === undefined) return undefined;
  return Object.hasOwn(slot.aliases, chosen) ? slot.aliases[chosen] : chosen.toLowerCase();
}

/**
 * What the configuration says of a plugin, also under an id it had before.
 * @param subject - the plugin
 * @param plugins - the `plugins` section of the configuration
 */
export function entryOf(
  { id, manifest }: Pick<EnableSubject, "id"> & { readonly manifest?: PluginManifest | undefined },
  plugins: PluginsConfiguration,
): PluginEntryConfiguration | undefined {
  const entries = plugins.entries ?? {};
  const key = [id, ...(manifest?.legacyPluginIds ?? [])].find((name) =>
    Object.hasOwn(entries, name),
  );
  return key === undefined ? undefined : entries[key];
}

/**
 * The line of the configuration that would turn a plugin on (PLUG-015).
 * @param subject - the plugin
 * @param reason - why it is off
 */
export function enablingLine(
  { id, manifest }: { readonly id: string; readonly manifest?: PluginManifest | undefined },
  reason: DisabledReason,
): string {
  switch (reason) {
    case "plugins-disabled":
      return "plugins.enabled: true";
    case "denied":
      return `remove "${id}" from plugins.deny and plugins.disabled`;
    case "not-allowed":
      return `add "${id}" to plugins.allow`;
    case "slot-taken": {
      const slots = SLOTS.filter((slot) => kindsOf(manifest ?? { id }).includes(slot.kind));
      return slots.map(({ name }) => `plugins.slots.${name}: "${id}"`).join(", ");
    }
    case "version-conflict":
      return `plugins.entries.${id}.ignoreCompat: true, or install what it requires`;
    case "duplicate":
      return `plugins.entries.${id}.enabled: true takes the one of the later origin; or remove one of the two`;
    default:
      return `plugins.entries.${id}.enabled: true`;
  }
}

function allowedIds({ allow = [], enabled }: PluginsConfiguration): string[] {
  return Array.isArray(enabled) ? [...allow, ...enabled] : allow;
}

function kindsOf({ kind = [] }: PluginManifest): readonly string[] {
  return typeof kind === "string" ? [kind] : kind;
}

function names(list: readonly string[], id: string): boolean {
  return list.some((name) => name.toLowerCase() === id);
}

function off(reason: DisabledReason): EnableState {
  return { enabled: false, reason };
}
