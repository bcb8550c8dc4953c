import {
  declarableNames,
  type PluginGeneration,
  type PluginRecord,
} from "@openclaw/plugin-runtime";
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

/** Location of the names of each kind in the host, in the form in which a manifest declares them. */
const READERS: Readonly<Record<DeclarableKind, RecordReader>> = {
  tools: ({ toolNames }) => toolNames,
  hooks: ({ hookNames }) => hookNames,
  commands: ({ commandNames }) => commandNames,
  services: ({ serviceIds }) => serviceIds,
  channels: ({ channelIds }) => channelIds,
  providers: ({ providerIds }) => providerIds,
  routes: ({ id }, { httpRoutes, httpHandlers, panels }) => [
    ...own(id, httpRoutes).flatMap((route) => declarableNames("httpRoutes", route)),
    ...own(id, panels).flatMap((each) => declarableNames("panels", each)),
    ...own(id, httpHandlers).flatMap((each) => declarableNames("httpHandlers", each)),
  ],
  gatewayMethods: ({ gatewayMethods }) => gatewayMethods,
  sessions: ({ id }, { sessionExtensions }) =>
    own(id, sessionExtensions).flatMap((each) => declarableNames("sessionExtensions", each)),
};

function own<Item extends { readonly pluginId: string }>(
  id: string,
  items: readonly Item[],
): readonly Item[] {
  return items.filter(({ pluginId }) => pluginId === id);
}

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
