import type { HookRunnerOptions } from "@openclaw/hook-runner";
import type { PluginDefinition } from "@openclaw/plugin-sdk";
import type { Logger } from "@openclaw/plugin-sdk/plugin-entry";
import type { HostServices } from "@openclaw/plugin-sdk/services";
import type { HostConfiguration } from "./plugins-configuration.js";

/** What a plugin runtime is made with. */
export interface PluginRuntimeOptions {
  /** Version of the host, which a plugin's `compat` may ask for; not compared when absent. */
  readonly hostVersion?: string;
  /**
   * The one version of the plugin API that the host claims to serve, for trying plugins with it; all
   * that it serves when absent.
   */
  readonly pluginApi?: string;
  /** The host's configuration; its `plugins` section rules the plugins. */
  readonly config: HostConfiguration;
  /** Where lines about plugins, and of plugins, go. */
  readonly logger: Logger;
  /** What only the host can do for its plugins; nothing when absent. */
  readonly hostServices?: HostServices;
  /** `host:port` pairs that plugins may fetch from although they are private or have no https (SAFE-050). */
  readonly allowHosts?: readonly string[] | undefined;
  /** Folders of the plugin packages that came with the host. */
  readonly bundled?: readonly string[];
  /** Workspace of the host; its plugins are in `.openclaw/extensions`. */
  readonly workspaceDir?: string;
  /** State folder of the host; its plugins are in `extensions`. */
  readonly stateDir?: string;
  /** Files or folders named for this process, for example by `--plugin`; naming one is consent. */
  readonly extraPaths?: readonly string[];
  /** Plugins given as objects, without files; they count as bundled, and nothing need be declared. */
  readonly inline?: readonly PluginDefinition[];
  /**
   * What the host offers plugins below `openclaw/plugin-sdk` beside the SDK: address by specifier, for
   * example `openclaw/plugin-sdk/core`. Counts for the whole process, as modules do.
   */
  readonly sdkModules?: ReadonlyMap<string, string>;
  /** Options of the hook engine: clock, channels, redactor. */
  readonly hooks?: Omit<HookRunnerOptions, "onDiagnostic" | "gate" | "aliases">;
}
