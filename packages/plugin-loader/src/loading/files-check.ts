/** Problem of the files of a plugin, which is not loaded because of it. */
export interface PluginFilesProblem {
  readonly message: string;
  /** Next step. */
  readonly hint: string;
}

/**
 * Checks the files of a plugin before its code is loaded.
 * @param plugin - ID, and real path of its folder
 * @returns the reason not to load it; undefined when there is none
 */
export type PluginFilesCheck = (plugin: {
  readonly id: string;
  readonly rootDir: string;
}) => Promise<PluginFilesProblem | undefined>;
