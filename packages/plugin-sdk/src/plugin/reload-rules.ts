/** Prefixes of configuration paths by the action that a change needs (PLUG-056). */
export interface ReloadRules {
  /** Paths that need a restart of the host. */
  restartPrefixes?: readonly string[];
  /** Paths that need a reload of the plugin. */
  hotPrefixes?: readonly string[];
  /** Paths that need no action. */
  noopPrefixes?: readonly string[];
}
