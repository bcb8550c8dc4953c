import type { GatewayOptions } from "@openclaw/gateway";

/** Options of every command that hosts agents in its own process. */
export interface HostOptions {
  model?: string;
  /** `false` keeps everything in memory (`--no-db`). */
  db?: boolean;
  plugin?: string[];
  /** Starts with the last good configuration when the file is not valid. */
  lastGood?: boolean;
  approveTool?: string[];
  /** Reloads the plugins of `--plugin` when one of their files changes; one that fails then does not end the start. */
  watch?: boolean;
  /** Lowest level that is logged. */
  logLevel?: NonNullable<GatewayOptions["logLevel"]>;
  /** Path of the file that receives the events of model streams; true for the one of `rawStreamPath` or the default. */
  rawStream?: string | true;
  /** Path of the file of `--raw-stream`. */
  rawStreamPath?: string;
  /** Starts no channel and no service of plugins. */
  isForCommand?: boolean;
  /** Takes no lock, because the command changes nothing. */
  isReading?: boolean;
  /** Address to listen on, instead of `gateway.bind`. */
  bind?: string;
}

/** Options of `run` and `gateway run`. */
export interface RunOptions extends HostOptions {
  port?: number;
  /** Path of the configuration file. */
  config?: string;
  /** Path of the folder of the state. */
  stateDir?: string;
  /** Prints the log on standard output instead of a summary. */
  logStdout?: boolean;
}
