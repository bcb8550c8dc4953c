import { type Static, Type } from "typebox";

const closed = { additionalProperties: false };
const id = Type.String({ minLength: 1, maxLength: 200 });
const consent = Type.Optional(Type.Boolean());

/** Parameters of the plugin methods, by name (GW-026). */
export const pluginMethodParameters = {
  "plugins.list": Type.Object({}, closed),
  "plugins.inspect": Type.Object({ id }, closed),
  "plugins.doctor": Type.Object({ id: Type.Optional(id) }, closed),
  "plugins.enable": Type.Object({ id, allowConversation: consent }, closed),
  "plugins.disable": Type.Object({ id }, closed),
  "plugins.reload": Type.Object({ id: Type.Optional(id) }, closed),
  "plugins.install": Type.Object(
    {
      /** npm name, git address, archive, file or folder; relative paths start at `cwd`. */
      specifier: Type.String({ minLength: 1 }),
      cwd: Type.String({ minLength: 1 }),
      allowConversation: consent,
      /** Installs in spite of critical findings of the built-in scan. */
      force: Type.Optional(Type.Boolean()),
      /** Accepts permissions beyond those of the version that is installed. */
      accept: Type.Optional(Type.Boolean()),
    },
    closed,
  ),
  "plugins.update": Type.Object(
    {
      id,
      /** Accepts the permissions that the new version adds. */
      accept: Type.Optional(Type.Boolean()),
    },
    closed,
  ),
  "plugins.uninstall": Type.Object({ id }, closed),
};

/** Name of a plugin method. */
export type PluginMethod = keyof typeof pluginMethodParameters;

/** Parameters of a plugin method. */
export type PluginMethodParameters<Method extends PluginMethod> = Static<
  (typeof pluginMethodParameters)[Method]
>;

/** Something worth telling about a plugin. */
export interface PluginNote {
  level: "info" | "warn" | "error";
  code: string;
  message: string;
  pluginId?: string;
  hint?: string;
}

/** A plugin in a list. */
export interface PluginSummary {
  id: string;
  name: string;
  version?: string;
  description?: string;
  origin: string;
  status: "loaded" | "disabled" | "error";
  /** Why it is off, or what went wrong. */
  reason?: string;
  /** The next step. */
  hint?: string;
}

/** Everything that is known of one plugin. */
export interface PluginDetails extends PluginSummary {
  source: string;
  rootDir: string;
  /** What it registered, by kind. */
  registered: Record<string, readonly string[]>;
  diagnostics: PluginNote[];
  /** How often its handlers ran, by hook. */
  hooks: {
    hook: string;
    priority: number;
    fired: number;
    failed: number;
    active: boolean;
    reason?: string;
  }[];
  generation?: number;
  loadMs?: number;
  registerMs?: number;
}

/** What a change of plugins led to. */
export interface PluginChange {
  /**
   * `loaded`: the new plugin serves. `kept`: what is there goes on, because the new one failed or asks
   * for more. `failed`: it failed, and there was no old one. `unloaded`: it is off now, or gone.
   */
  outcome: "loaded" | "kept" | "failed" | "unloaded";
  generation: number;
  plugin?: PluginSummary;
  /** Milliseconds the change took. */
  durationMs: number;
  diagnostics: PluginNote[];
  /** Hooks whose handlers wait until the operator agrees that the plugin sees conversations (D29). */
  consentNeeded?: readonly string[];
  /** Permissions that an update adds and that were not accepted yet. */
  addedPermissions?: readonly string[];
}

/** Results of the plugin methods. */
export interface PluginMethodResults {
  "plugins.list": { generation: number; plugins: PluginSummary[]; diagnostics: PluginNote[] };
  "plugins.inspect": PluginDetails;
  /** Every plugin asked about, and what deserves a look, each with its fix. */
  "plugins.doctor": { plugins: PluginSummary[]; diagnostics: PluginNote[] };
  "plugins.enable": PluginChange;
  "plugins.disable": PluginChange;
  "plugins.reload": PluginChange;
  "plugins.install": PluginChange;
  "plugins.update": PluginChange;
  "plugins.uninstall": PluginChange;
}
