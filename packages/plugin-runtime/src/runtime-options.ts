import type { HookRunnerOptions } from "@openclaw/hook-runner";
import type { PluginDefinition } from "@openclaw/plugin-sdk";
import type { Logger } from "@openclaw/plugin-sdk/plugin-entry";
import type { HostConfiguration } from "./plugins-configuration.js";

/** What only a host can do for its plugins; each part that is absent has the stated default. */
export interface HostServices {
  /**
   * The host's configuration as one plugin may see it. By default a copy in which values under keys
   * that name secrets are redacted.
   * @param pluginId - the plugin that asks
   */
  visibleConfig?(pluginId: string): Readonly<Record<string, unknown>>;
  /** Names of the host's own tools; no plugin may take one (PLUG-032). None by default. */
  readonly toolNames?: readonly string[];
}

/** What a plugin runtime is made with. */
export interface PluginRuntimeOptions {
  /** Version of the host, which a plugin's `compat` may ask for; not compared when absent. */
  readonly hostVersion?: string;
  /** The host's configuration; its `plugins` section rules the plugins. */
  readonly config: HostConfiguration;
  /** Where lines about plugins, and of plugins, go. */
  readonly logger: Logger;
  readonly hostServices?: HostServices;
  /** Folders of the plugin packages that came with the host. */
  readonly bundled?: readonly string[];
  /** Workspace of the host; its plugins are in `.openclaw/extensions`. */
  readonly workspaceDir?: string;
  /** State folder of the host; its plugins are in `extensions`. */
  readonly stateDir?: string;
  /** Files or folders named for this process, for example by `--plugin`; naming one is consent. */
  readonly extraPaths?: readonly string[];
  /** Plugins given as objects, without files; they count as bundled. */
  readonly inline?: readonly PluginDefinition[];
  /** Options of the hook engine: clock, channels, redactor. */
  readonly hooks?: Omit<HookRunnerOptions, "onDiagnostic" | "gate" | "aliases">;
}
