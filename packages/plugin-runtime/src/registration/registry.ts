import type { PermissionKind } from "@openclaw/plugin-discovery";
import type { HostedKind } from "@openclaw/plugin-sdk/services";
import { isNativeChannel } from "./channel.js";
import { isUsed } from "./memory/search.js";
import type { RegistryKind, RegistryKinds } from "./registry-kinds.js";

/** Properties of one kind of registration. */
export interface KindRules<Kind extends RegistryKind> {
  /** Its name in messages. */
  readonly label: string;
  readonly recordField: RegistryKinds[Kind]["recordField"];
  /** True when names must be unique, ignoring case. */
  readonly unique: boolean;
  /** Returns the names of a registration. */
  names(item: RegistryKinds[Kind]["item"]): readonly string[];
  /** Returns the names that a manifest declares it by, where they are not {@link names}. */
  declared?(item: RegistryKinds[Kind]["item"]): readonly string[];
  /** Manifest field that declares it; absent for a kind that needs no declaration (PLUG-043). */
  readonly permission?: PermissionKind;
  /** Capability that a host must report for these to have an effect; absent where every host has it. */
  readonly hosted?: HostedKind | ((item: RegistryKinds[Kind]["item"]) => HostedKind);
  /** True for a registration that takes effect even if the host does not use its kind. */
  takesEffect?(item: RegistryKinds[Kind]["item"]): boolean;
  /** True for a kind of older plugins that hosts may never use (PLUG-056). */
  readonly forCompatibility?: boolean;
}

/** Naming, listing and uniqueness of each kind. */
export const REGISTRY_KINDS: { readonly [Kind in RegistryKind]: KindRules<Kind> } = {
  tools: {
    label: "tool",
    recordField: "toolNames",
    unique: true,
    names: ({ names }) => names,
    permission: "tools",
  },
  providers: {
    label: "provider",
    recordField: "providerIds",
    unique: true,
    names: ({ provider }) => [provider.id],
    permission: "providers",
  },
  hooks: {
    label: "hook",
    recordField: "hookNames",
    unique: false,
    names: ({ events }) => events,
    permission: "hooks",
  },
  hookSets: {
    label: "set of configured hooks",
    recordField: null,
    unique: false,
    names: () => [],
  },
  commands: {
    label: "command",
    recordField: "commandNames",
    unique: true,
    names: ({ command }) => [command.name],
    permission: "commands",
    hosted: "commands",
  },
  prompts: {
    label: "prompt",
    recordField: null,
    unique: true,
    names: ({ pluginId, prompt }) => [`${pluginId}/${prompt.name}`],
  },
  resources: {
    label: "resource",
    recordField: null,
    unique: true,
    names: ({ resource }) => [resource.uri],
  },
  channels: {
    label: "channel",
    recordField: "channelIds",
    unique: true,
    names: ({ id }) => [id],
    permission: "channels",
    hosted: ({ channel }) => (isNativeChannel(channel) ? "channels" : "adapterChannels"),
  },
  httpRoutes: {
    label: "HTTP route",
    recordField: "httpRoutes",
    unique: true,
    names: ({ addresses }) => addresses,
    declared: ({ path }) => [path],
    permission: "routes",
    hosted: "httpRoutes",
  },
  httpHandlers: {
    label: "HTTP handler",
    recordField: null,
    unique: false,
    names: () => ["/*"],
    permission: "routes",
    hosted: "httpRoutes",
  },
  panels: {
    label: "panel",
    recordField: "panelIds",
    unique: true,
    names: ({ pluginId, id }) => [`${pluginId}/${id}`],
    declared: ({ id }) => [`/ui/${id}`],
    permission: "routes",
    hosted: "httpRoutes",
  },
  gatewayHandlers: {
    label: "gateway method",
    recordField: "gatewayMethods",
    unique: true,
    names: ({ method }) => [method],
    permission: "gatewayMethods",
    hosted: "gatewayMethods",
  },
  services: {
    label: "service",
    recordField: "serviceIds",
    unique: true,
    names: ({ service }) => [service.id],
    permission: "services",
  },
  cliRegistrars: {
    label: "command line command",
    recordField: "cliCommands",
    unique: true,
    names: ({ commands }) => commands,
    hosted: "cliCommands",
  },
  trustedToolPolicies: {
    label: "trusted tool policy",
    recordField: null,
    unique: true,
    names: ({ policy }) => [policy.id],
    hosted: "trustedToolPolicies",
  },
  safetyRules: {
    label: "safety rule",
    recordField: null,
    unique: true,
    names: ({ rule }) => [rule.id],
    hosted: "safetyRules",
  },
  sessionExtensions: {
    label: "session extension",
    recordField: null,
    unique: true,
    names: ({ pluginId, extension }) => [`${pluginId}/${extension.namespace}`],
    declared: ({ extension }) => [extension.namespace],
    permission: "sessions",
    hosted: "sessionExtensions",
  },
  approvalHandlers: {
    label: "approval handler",
    recordField: null,
    unique: false,
    names: () => [],
    hosted: "approvals",
  },
  memory: {
    label: "part of the memory",
    recordField: null,
    unique: false,
    names: ({ part }) => [part],
    hosted: "memory",
    takesEffect: isUsed,
    forCompatibility: true,
  },
  contextEngines: {
    label: "context engine",
    recordField: null,
    unique: true,
    names: ({ id }) => [id],
    hosted: "contextEngines",
    forCompatibility: true,
  },
  compactionProviders: {
    label: "compaction provider",
    recordField: null,
    unique: true,
    names: ({ provider }) => [provider.id],
    hosted: "compactionProviders",
    forCompatibility: true,
  },
  agentHarnesses: {
    label: "agent harness",
    recordField: null,
    unique: true,
    names: ({ harness }) => [harness.id],
    hosted: "agentHarnesses",
  },
  webSearchProviders: {
    label: "web search provider",
    recordField: null,
    unique: true,
    names: ({ provider }) => [provider.id],
  },
  speechProviders: {
    label: "speech provider",
    recordField: null,
    unique: true,
    names: ({ provider }) => [provider.id],
  },
  oauthCredentials: {
    label: "OAuth credential",
    recordField: "oauthCredentials",
    unique: true,
    names: ({ pluginId, oauth }) => [`${pluginId}/${oauth.id}`],
    hosted: "oauthCredentials",
  },
  toolResultMiddlewares: {
    label: "tool result middleware",
    recordField: null,
    unique: false,
    names: () => [],
    hosted: "toolResultMiddlewares",
    forCompatibility: true,
  },
  toolMetadata: {
    label: "metadata of a tool",
    recordField: null,
    unique: true,
    names: ({ metadata }) => [metadata.toolName],
    hosted: "toolMetadata",
    forCompatibility: true,
  },
  reloadRules: {
    label: "reload rules",
    recordField: null,
    unique: false,
    names: () => [],
    hosted: "reloadRules",
    forCompatibility: true,
  },
  interactiveHandlers: {
    label: "interactive handler",
    recordField: null,
    unique: true,
    names: ({ handler }) => [`${handler.channel}/${handler.namespace}`],
    hosted: "interactiveHandlers",
    forCompatibility: true,
  },
  runtimeLifecycles: {
    label: "runtime lifecycle",
    recordField: null,
    unique: false,
    names: ({ lifecycle }) => [lifecycle.id],
  },
};

/** Names of the lists of a registry. */
export const REGISTRY_LISTS = Object.keys(REGISTRY_KINDS) as readonly RegistryKind[];

/** The lists of a registry, each in the order of registration. */
export type RegistryLists = {
  readonly [Kind in RegistryKind]: readonly RegistryKinds[Kind]["item"][];
};

/** The fields of a plugin's record that list what it registered, for example `toolNames`. */
export type RegisteredNames = {
  readonly [Kind in RegistryKind as RegistryKinds[Kind]["recordField"] & string]: readonly string[];
};

/** One registration of a plugin. */
export type Registration<Kind extends RegistryKind = RegistryKind> = {
  [Each in Kind]: {
    readonly kind: Each;
    readonly item: RegistryKinds[Each]["item"];
    /** Position among all registrations of the runtime, in ascending order of time. */
    readonly sequence: number;
    /** True when it was made after the plugin's `register` had settled. */
    readonly late: boolean;
  };
}[Kind];

/** Returns the names of a registration. */
export function registeredNames<Kind extends RegistryKind>(
  registration: Pick<Registration<Kind>, "kind" | "item">,
): readonly string[] {
  return REGISTRY_KINDS[registration.kind].names(registration.item);
}

/**
 * Returns the names by which a manifest declares a registration.
 * @param kind - kind of the registration
 * @param item - the registration
 */
export function declarableNames<Kind extends RegistryKind>(
  kind: Kind,
  item: RegistryKinds[Kind]["item"],
): readonly string[] {
  const { declared, names } = REGISTRY_KINDS[kind];
  return (declared ?? names)(item);
}
