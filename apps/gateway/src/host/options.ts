/** Options of every command that hosts agents in its own process. */
export interface HostOptions {
  model?: string;
  /** `false` keeps everything in memory (`--no-db`). */
  db?: boolean;
  plugin?: string[];
  /** Starts with the last good configuration when the file is not valid. */
  lastGood?: boolean;
  approveTool?: string[];
}

/** Options of every start of a host. */
export interface StartOptions extends HostOptions, Pick<RunOptions, "bind"> {
  /** Starts without resuming work or notifying plugins that the host serves. */
  isRehearsal?: boolean;
}

/** Options of `run` and `gateway run`. */
export interface RunOptions extends HostOptions {
  port?: number;
  /** `loopback`, `lan` or an IP address; that of the configuration when absent. */
  bind?: string;
  /** Path of the configuration file. */
  config?: string;
  /** Path of the state folder. */
  stateDir?: string;
  /** Reloads the plugins of `--plugin` when one of their files changes. */
  watch?: boolean;
}
