import type { Unregister } from "../plugin/unregister.js";

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
}

/** Content of the manifests of other plugins. */
export interface RuntimePlugins {
  /** Returns the hooks that the manifests of enabled plugins declare, in the order in which the plugins are loaded. */
  declaredHooks(): readonly DeclaredHooks[];
  /**
   * Calls a function when plugins were loaded or unloaded.
   * @param listener - called once the change is active
   */
  onChanged(listener: () => void): Unregister;
}
