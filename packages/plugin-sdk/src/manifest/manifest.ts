import type { JsonSchema } from "../schema/json.js";

/** Another plugin that must be on for this one to load; a range of its versions narrows it. */
export type PluginRequirement = string | { id: string; version: string };

/** What a plugin registers, by kind, so that it is known without loading it (PLUG-005). */
export interface PluginContracts {
  tools?: string[];
  hooks?: string[];
  trustedToolPolicies?: string[];
  [kind: string]: string[] | undefined;
}

/** What a plugin may register and use (PLUG-043). */
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

/** What `openclaw.plugin.json` says of a plugin; read without running any of its code (PLUG-005). */
export interface PluginManifest {
  $schema?: string;
  /** 1 to 100 characters: a lower-case letter, digit or `@` first, then also `. _ / -`. */
  id: string;
  /** Shown to people; the id when absent. */
  name?: string;
  /** A semantic or calendar version. */
  version?: string;
  description?: string;
  /** JSON Schema of `plugins.entries.<id>.config`; an empty object when absent. */
  configSchema?: JsonSchema;
  /** Module(s) to load, relative to the plugin's folder. */
  entry?: string | string[];
  /** False leaves the plugin off until the operator turns it on. */
  enabledByDefault?: boolean;
  /** For example `memory`; of some kinds only one plugin is active (PLUG-011). */
  kind?: string | string[];
  channels?: string[];
  providers?: string[];
  /** Folders of skills, relative to the plugin's folder. */
  skills?: string[];
  /** How a console shows the configuration. */
  uiHints?: Record<string, unknown>;
  requiresPlugins?: PluginRequirement[];
  /** Ids this plugin had before; configuration under them still counts. */
  legacyPluginIds?: string[];
  contracts?: PluginContracts;
  toolMetadata?: Record<string, unknown>;
  commandAliases?: Record<string, unknown> | unknown[];
  cliCommands?: Record<string, unknown> | unknown[];
  /** What the plugin waits for before it is needed. */
  activation?: Record<string, unknown>;
  mcpServers?: Record<string, unknown>;
  permissions?: PluginPermissions;
  /** Whether the plugin's code runs in the host's process. */
  isolation?: "none" | "worker" | "process";
  compat?: { pluginApi?: string; minGatewayVersion?: string };
  /** Proposed API the plugin opts into. */
  proposals?: string[];
}
