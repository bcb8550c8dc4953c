import type { HookRunnerOptions } from "@openclaw/hook-runner";
import type { HostConfiguration } from "@openclaw/plugin-discovery";
import type {
  MissingPartUse,
  PluginFaults,
  PluginFilesCheck,
  PluginLoader,
} from "@openclaw/plugin-loader";
import type { PluginDefinition } from "@openclaw/plugin-sdk";
import type { Logger } from "@openclaw/plugin-sdk/plugin-entry";
import type { HostServices } from "@openclaw/plugin-sdk/services";
import type { NetworkPolicyOptions } from "@openclaw/safety";

/** Options of a plugin runtime. */
export interface PluginRuntimeOptions {
  /** Version of the host, compared with a plugin's `compat`; not compared when absent. */
  readonly hostVersion?: string;
  /**
   * The only version of the plugin API that the host claims to support, for testing plugins with
   * it; every supported version when absent.
   */
  readonly pluginApi?: string;
  /** The host's configuration; its `plugins` section controls the plugins. */
  readonly config: HostConfiguration;
  /** Logger for lines about plugins and from plugins. */
  readonly logger: Logger;
  /** Capabilities that only the host can provide to its plugins; none when absent. */
  readonly hostServices?: HostServices;
  /**
   * `host:port` pairs that plugins may fetch from although they are private or lack https
   * (SAFE-050).
   */
  readonly allowHosts?: NetworkPolicyOptions["allowHosts"];
  /** Folders of the bundled plugin packages. */
  readonly bundled?: readonly string[];
  /** Workspace of the host; its plugins are in `.openclaw/extensions`. */
  readonly workspaceDir?: string;
  /** Returns whether plugins of the workspace may be loaded; asked at each load; they may when absent. */
  readonly isWorkspaceTrusted?: (() => boolean) | undefined;
  /** State folder of the host; its plugins are in `extensions`. */
  readonly stateDir?: string;
  /** Files or folders given for this process, for example by `--plugin`; naming one is consent. */
  readonly extraPaths?: readonly string[];
  /**
   * Plugins given as objects, without files; they count as bundled and need not declare anything.
   */
  readonly inline?: readonly PluginDefinition[];
  /**
   * Modules that the host offers to plugins below `openclaw/plugin-sdk` in addition to the SDK: URL
   * by specifier, for example `openclaw/plugin-sdk/core`. Applies to the whole process, as modules
   * do.
   */
  readonly sdkModules?: ReadonlyMap<string, string>;
  /**
   * The plugins and receiver of their faults; `guardProcess` needs the same one. Without it, faults are
   * logged.
   */
  readonly faults?: PluginFaults | undefined;
  /** Receives each use of a part of the SDK that this host lacks, which fails (PLUG-520). */
  readonly onMissingUse?: ((use: MissingPartUse) => void) | undefined;
  /** Loaders of plugins that are not modules of the process, asked in order before the loader of modules. */
  readonly loaders?: readonly PluginLoader[];
  /** Checks the files of each plugin that has files, before it is loaded; not checked when absent. */
  readonly checkFiles?: PluginFilesCheck | undefined;
  /** Options of the hook engine: clock, channels, redactor. */
  readonly hooks?: Omit<HookRunnerOptions, "onDiagnostic" | "gate" | "aliases">;
}
