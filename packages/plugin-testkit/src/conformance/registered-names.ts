import type { PluginGeneration, PluginRecord } from "@openclaw/plugin-runtime";
import { belongsTo } from "../host/tested-plugin.js";

/** What a plugin may register by name and declare in its manifest. */
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

/** Names of what a plugin registered, by kind, each list sorted. */
export type RegisteredNames = Readonly<Record<DeclarableKind, readonly string[]>>;

type RecordReader = (record: PluginRecord, generation: PluginGeneration) => readonly string[];

/** Where the host keeps the names of each kind. */
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
 * What a plugin registered in a generation.
 * @param generation - loaded
 * @param id - of the plugin
 */
export function registeredNames(generation: PluginGeneration, id: string): RegisteredNames {
  const records = generation.plugins.filter((record) => belongsTo(id, record.id));
  const lists = DECLARABLE_KINDS.map((kind) => {
    const names = records.flatMap((record) => READERS[kind](record, generation));
    return [kind, [...new Set(names)].sort()];
  });
  return Object.fromEntries(lists) as RegisteredNames;
}
