import type {
  ChangeOptions,
  LoadedConfiguration,
  LoadOptions,
  OpenClawConfiguration,
} from "@openclaw/configuration";
import type { Timers } from "@openclaw/foundation";
import type { Logger } from "@openclaw/plugin-sdk";
import type { EventPublisher } from "@openclaw/protocol";
import type { Store } from "@openclaw/store";
import type { Host } from "../host/running-host.js";
import type { SecretVault } from "../secrets/vault.js";
import type { StateFolder } from "../state/folder.js";
import type { LiveWorkspace } from "../workspaces/live-workspace.js";
import type { LiveConfiguration } from "./live-configuration.js";
import type { ReloaderDependencies } from "./reload.js";

/** Dependencies of the control of the configuration. */
export interface ControlDependencies {
  /** Path of the main file, which may not exist. */
  readonly file: string;
  readonly options: LoadOptions & Pick<ChangeOptions, "checkEntries">;
  readonly live: LiveConfiguration;
  /** Configuration of the start, without the settings of the database. */
  readonly initial: LoadedConfiguration;
  readonly host: Pick<Host, "plugins" | "services" | "channels" | "configured" | "followModel">;
  /** Workspace of the gateway. */
  readonly workspace: Pick<LiveWorkspace, "follow">;
  readonly state: Pick<StateFolder, "dir">;
  readonly store: Store;
  readonly vault: Pick<SecretVault, "set">;
  /**
   * Changes the minimum levels of the log.
   * @param configuration - configuration that applies from now on
   */
  setLogLevels(configuration: OpenClawConfiguration): void;
  readonly logger: Logger;
  readonly events: EventPublisher;
  readonly timers: Timers;
  /** Opens the listener again when its settings have changed; see {@link ReloaderDependencies}. */
  readonly configureListener?: ReloaderDependencies["configureListener"];
  /** Returns the configuration for plugins, with stored secrets. */
  forPlugins(configuration: LoadedConfiguration): Promise<OpenClawConfiguration>;
}
