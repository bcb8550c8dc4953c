/** What a change of the plugin's configuration calls for, by the first keys of the changed path (PLUG-056). */
export interface ReloadRules {
  /** The host must be started again. */
  restartPrefixes?: readonly string[];
  /** The plugin is loaded again. */
  hotPrefixes?: readonly string[];
  /** Nothing has to be done. */
  noopPrefixes?: readonly string[];
}
