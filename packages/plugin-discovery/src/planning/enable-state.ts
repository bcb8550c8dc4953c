import type { PluginManifest } from "@openclaw/plugin-sdk/manifest";
import type { PluginOrigin } from "@openclaw/plugin-sdk/plugin-entry";
import type {
  PluginEntryConfiguration,
  PluginsConfiguration,
} from "../configuration/plugins-configuration.js";

/** Code of the reason why a plugin is disabled (PLUG-010). */
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

/** Reason that the manifest of a plugin and the configuration give; another plugin with its ID is not among them. */
type ConfiguredReason = Exclude<DisabledReason, "duplicate">;

/** Enabled state of a plugin, with the reason when it is disabled. */
export type EnableState =
  | { readonly enabled: true }
  | { readonly enabled: false; readonly reason: ConfiguredReason };

/** Facts that decide whether a plugin is enabled. */
export interface EnableSubject {
  readonly id: string;
  readonly origin: PluginOrigin;
  /** True when the operator named its path. */
  readonly named: boolean;
  /** True when its manifest requires another version of the host; default false. */
  readonly conflicts?: boolean;
  readonly manifest: PluginManifest;
}

type SlotName = keyof NonNullable<PluginsConfiguration["slots"]>;

interface Slot {
  readonly name: SlotName;
  readonly kind: string;
  /** Plugin that is active when the configuration names none. */
  readonly occupant: string | undefined;
  /** Former names that the configuration may use. */
  readonly aliases: Readonly<Record<string, string>>;
}

/** Kinds for which only one plugin is active (PLUG-011). */
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
 * Decides whether a plugin is enabled; the first matching rule applies (PLUG-010). Requirements on other plugins are
 * checked afterwards, among the enabled plugins.
 * @param subject - the discovered plugin
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
 * Returns the plugin that a slot selects; undefined or `none` when the slot is empty.
 * @param slot - one of `SLOTS`
 * @param plugins - the `plugins` section of the configuration
 */
export function chosenFor(slot: Slot, plugins: PluginsConfiguration): string | undefined {
  const chosen = plugins.slots?.[slot.name] ?? slot.occupant;
  if (chosen === undefined) return undefined;
  return Object.hasOwn(slot.aliases, chosen) ? slot.aliases[chosen] : chosen.toLowerCase();
}

/**
 * Returns the slots that a plugin of a kind needs, and the plugin that each of them selects.
 * @param kind - `kind` in the manifest of the plugin
 * @param plugins - the `plugins` section of the configuration
 */
export function slotsOfKind(
  kind: string | readonly string[] = [],
  plugins: PluginsConfiguration = {},
): { readonly name: SlotName; readonly occupant: string | undefined }[] {
  const kinds = typeof kind === "string" ? [kind] : kind;
  return SLOTS.filter((slot) => kinds.includes(slot.kind)).map((slot) => ({
    name: slot.name,
    occupant: chosenFor(slot, plugins),
  }));
}

/**
 * Returns the configuration entry of a plugin, also under a former id.
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
 * Returns the configuration line that would enable a plugin (PLUG-015).
 * @param reason - reason why it is disabled
 */
export function enablingLine(
  { id, manifest }: { readonly id: string; readonly manifest?: PluginManifest | undefined },
  reason: ConfiguredReason,
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
    default:
      return `plugins.entries.${id}.enabled: true`;
  }
}

function allowedIds({ allow = [], enabled }: PluginsConfiguration): string[] {
  return Array.isArray(enabled) ? [...allow, ...enabled] : allow;
}

/**
 * Returns the kinds of a plugin.
 * @param manifest - manifest of the plugin
 */
export function kindsOf({ kind = [] }: PluginManifest): readonly string[] {
  return typeof kind === "string" ? [kind] : kind;
}

function names(list: readonly string[], id: string): boolean {
  return list.some((name) => name.toLowerCase() === id);
}

function off(reason: ConfiguredReason): EnableState {
  return { enabled: false, reason };
}
