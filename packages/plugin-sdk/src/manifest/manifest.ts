import type { JsonSchema } from "../schema/json.js";

/** Plugin that must be enabled for this one to load, with an optional version range. */
export type PluginRequirement = string | { id: string; version: string };

/** Registrations of a plugin by kind, readable without loading it (PLUG-005). */
export interface PluginContracts {
  tools?: string[];
  hooks?: string[];
  trustedToolPolicies?: string[];
  [kind: string]: string[] | undefined;
}

/** Permissions of a plugin (PLUG-043). */
export interface PluginPermissions {
  tools?: string[];
  hooks?: string[];
  commands?: string[];
  routes?: string[];
  gatewayMethods?: string[];
  channels?: string[];
  providers?: string[];
  services?: string[];
  sessions?: string[];
  secrets?: string[];
  network?: { hosts?: string[] };
  fs?: { read?: string[]; write?: string[] };
  exec?: string[];
}

/** Content of `openclaw.plugin.json`, read without running code of the plugin (PLUG-005). */
export interface PluginManifest {
  $schema?: string;
  /** Id of 1 to 100 characters: first a lower-case letter, digit or `@`, then also `. _ / -`. */
  id: string;
  /** Display name; the id when absent. */
  name?: string;
  /** Semantic or calendar version. */
  version?: string;
  description?: string;
  /** JSON Schema of `plugins.entries.<id>.config`; an empty object when absent. */
  configSchema?: JsonSchema;
  /** Modules to load, relative to the plugin's folder. */
  entry?: string | string[];
  /** False disables the plugin until the operator enables it. */
  enabledByDefault?: boolean;
  /** Kind, for example `memory`; for some kinds only one plugin is active (PLUG-011). */
  kind?: string | string[];
  channels?: string[];
  /**
   * JSON Schema of the settings that a channel adds to its section `channels.<name>`, by channel; each account has them.
   * A change of the configuration that does not match it is rejected, and a channel without a required setting is not
   * started. `*` stands for the channels that the plugin offers under names of the operator: sections with the settings that
   * its schema requires. `$defs.senderId` and `$defs.conversationId` are schemas with `pattern` and `description` of the IDs
   * of the channel, with which `allowFrom`, `owners` and others are compared.
   */
  channelSettings?: Record<string, unknown>;
  /** Schemas of sections in the form of older hosts: `{ "<channel>": { "schema": { … } } }`. */
  channelConfigs?: Record<string, unknown>;
  providers?: string[];
  /** Folders of skills, relative to the plugin's folder. */
  skills?: string[];
  /** Presentation of the configuration in a console. */
  uiHints?: Record<string, unknown>;
  requiresPlugins?: PluginRequirement[];
  /** Former ids of this plugin; configuration under them still applies. */
  legacyPluginIds?: string[];
  contracts?: PluginContracts;
  toolMetadata?: Record<string, unknown>;
  commandAliases?: Record<string, unknown> | unknown[];
  cliCommands?: Record<string, unknown> | unknown[];
  /** Events that activate the plugin. */
  activation?: Record<string, unknown>;
  mcpServers?: Record<string, unknown>;
  /** Hooks written as configuration: `rules`, `outbound_webhooks` and `hooks`, or a list of rules. */
  declarativeHooks?: Record<string, unknown> | unknown[];
  permissions?: PluginPermissions;
  /** Place of the plugin's code: the process of the host, a thread of it, or a separate process (PLUG-052). */
  isolation?: "none" | "worker" | "process";
  compat?: { pluginApi?: string; minGatewayVersion?: string };
  /** Experimental APIs that the plugin uses. */
  proposals?: string[];
}
