import type { Timers } from "@openclaw/foundation";
import type { Logger } from "@openclaw/plugin-sdk";
import type { Store } from "@openclaw/store";
import type { LoadedConfiguration } from "../configuration/configuration.js";
import type { StateFolder } from "../state/folder.js";

/** Settings and places of a host, and the store and log that were opened for it. */
export interface HostContext {
  readonly configuration: LoadedConfiguration;
  readonly environment: NodeJS.ProcessEnv;
  readonly workspaceDir: string;
  readonly state: StateFolder;
  readonly store: Store;
  readonly logger: Logger;
  /** Timers of deadlines; those of the process when absent. */
  readonly timers?: Timers | undefined;
  /** Returns milliseconds since the epoch. */
  now(): number;
}
