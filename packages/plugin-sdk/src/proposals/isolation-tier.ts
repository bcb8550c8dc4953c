/**
 * The proposal `isolation-tier`: `api.isolation`. A plugin names it in `proposals` of its manifest (SDK-024); until the
 * proposal is adopted, any version of the SDK may change it.
 */

/** Place of the code of a plugin: the process of the host, a thread of it, or a separate process. */
export type IsolationTier = "none" | "worker" | "process";

/** Isolation of the plugin that reads it. */
export interface PluginIsolation {
  readonly tier: IsolationTier;
  /** Permissions of the manifest that bind all code of the plugin, for example `network.hosts`. */
  readonly enforced: readonly string[];
}

/** Part of the `api` of a plugin that names this proposal: `register(api: OpenClawPluginApi & IsolationTierApi)`. */
export interface IsolationTierApi {
  readonly isolation: PluginIsolation;
}
