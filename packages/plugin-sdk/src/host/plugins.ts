import type { Unregister } from "../plugin/unregister.js";
import type { JsonObject } from "../schema/json.js";

/** Handler of a hook of a bundle of another tool, as it is written. */
export interface BundleHookHandler {
  /** Unique within the bundle, for example `PreToolUse-1`. */
  readonly name: string;
  /** Event by the name of Claude Code. */
  readonly event: string;
  /** Pattern of tools or reasons; absent matches all. */
  readonly matcher?: string;
  /** Fields of the handler, such as `type` and `command`. */
  readonly handler: JsonObject;
}

/** Hooks that the manifest of an enabled plugin declares, not checked. */
export interface DeclaredHooks {
  readonly pluginId: string;
  /** Folder of the plugin. */
  readonly rootDir: string;
  /** Value of `declarativeHooks`. */
  readonly hooks: unknown;
  /** Programs that its manifest may run, `permissions.exec`. */
  readonly programs: readonly string[];
  /** Hosts that its manifest may reach, `permissions.network.hosts`. */
  readonly hosts: readonly string[];
  /** Handlers of a bundle of another tool; absent for other plugins. */
  readonly handlers?: readonly BundleHookHandler[];
  /** Folder for data of a bundle that outlasts an update; it need not exist. */
  readonly dataDir?: string;
}

/** MCP servers of an enabled bundle of another tool, not checked. */
export interface DeclaredServers {
  readonly pluginId: string;
  /** Folder of the bundle. */
  readonly rootDir: string;
  /** Folder for data of the bundle that outlasts an update; it need not exist. */
  readonly dataDir: string;
  /** Entries by the name of the server, as they are written. */
  readonly servers: Readonly<Record<string, unknown>>;
  /** True when only the variables of the Agent Plugins specification are replaced, and only in the fields that it names. */
  readonly isPortable: boolean;
}

/** Content of the manifests of other plugins. */
export interface RuntimePlugins {
  /** Returns the hooks that the manifests of enabled plugins declare, in the order in which the plugins are loaded. */
  declaredHooks(): readonly DeclaredHooks[];
  /** Returns the MCP servers of enabled bundles, in the order in which the plugins are loaded. */
  declaredServers(): readonly DeclaredServers[];
  /**
   * Calls a function when plugins were loaded or unloaded.
   * @param listener - called once the change is active
   */
  onChanged(listener: () => void): Unregister;
}
