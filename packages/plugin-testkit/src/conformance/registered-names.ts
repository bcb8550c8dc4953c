import type { PluginGeneration, PluginRecord } from "@openclaw/plugin-runtime";
import { belongsTo } from "../host/tested-plugin.js";

/** Kinds that a plugin registers by name and declares in its manifest. */
export type DeclarableKind =
  | "tools"
  | "hooks"
  | "commands"
  | "services"
  | "channels"
  | "providers"
  | "routes"
  | "gatewayMethods"
  | "sessions";

/** Names of a plugin's registrations by kind, each list sorted. */
export type RegisteredNames = Readonly<Record<DeclarableKind, readonly string[]>>;

type RecordReader = (record: PluginRecord, generation: PluginGeneration) => readonly string[];

/** Location of the names of each kind in the host. */
const READERS: Readonly<Record<DeclarableKind, RecordReader>> = {
  tools: ({ toolNames }) => toolNames,
  hooks: ({ hookNames }) => hookNames,
  commands: ({ commandNames }) => commandNames,
  services: ({ serviceIds }) => serviceIds,
  channels: ({ channelIds }) => channelIds,
  providers: ({ providerIds }) => providerIds,
  routes: ({ httpRoutes }) => httpRoutes,
  gatewayMethods: ({ gatewayMethods }) => gatewayMethods,
  sessions: ({ id }, { sessionExtensions }) =>
    sessionExtensions
      .filter(({ pluginId }) => pluginId === id)
      .map(({ extension }) => `${id}/${extension.namespace}`),
};

/** Every kind, in the order in which a manifest lists them. */
export const DECLARABLE_KINDS = Object.keys(READERS) as readonly DeclarableKind[];

/**
 * Returns a plugin's registrations in a generation.
 * @param generation - a loaded generation
 * @param id - id of the plugin
 */
export function registeredNames(generation: PluginGeneration, id: string): RegisteredNames {
  const records = generation.plugins.filter((record) => belongsTo(id, record.id));
  const lists = DECLARABLE_KINDS.map((kind) => {
    const names = records.flatMap((record) => READERS[kind](record, generation));
    return [kind, [...new Set(names)].sort()];
  });
  return Object.fromEntries(lists) as RegisteredNames;
}
