import type { JsonSchema } from "./json.js";

/** What `openclaw.plugin.json` says of a plugin; read without running any of its code (PLUG-005). */
export interface PluginManifest {
  $schema?: string;
  /** 1 to 100 characters: a lower-case letter, digit or `@` first, then also `. _ / -`. */
  id: string;
  /** Shown to people; the id when absent. */
  name?: string;
  version?: string;
  description?: string;
  /** JSON Schema of `plugins.entries.<id>.config`; an empty object when absent. */
  configSchema?: JsonSchema;
  /** Module(s) to load, relative to the plugin's folder. */
  entry?: string | string[];
  /** False leaves the plugin off until the operator turns it on. */
  enabledByDefault?: boolean;
  kind?: string | string[];
  channels?: string[];
  providers?: string[];
  skills?: string[];
}
