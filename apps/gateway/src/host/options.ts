/** Options of every command that hosts agents in its own process. */
export interface HostOptions {
  model?: string;
  /** `false` keeps everything in memory (`--no-db`). */
  db?: boolean;
  plugin?: string[];
  approveTool?: string[];
}

/** Options of `run` and `gateway run`. */
export interface RunOptions extends HostOptions {
  port?: number;
  /** Reloads the plugins of `--plugin` when one of their files changes. */
  watch?: boolean;
}
