import type { Readable, Writable } from "node:stream";

/** Options of a process that runs next to the host. */
export interface StartProcessOptions {
  /** Working directory, absolute or relative to the plugin's folder; default is the plugin's folder. */
  cwd?: string;
  /** Additional environment variables; variables of the host that hold secrets are never passed. */
  env?: Readonly<Record<string, string>>;
  /** Runs the program in the sandbox of the host; the start fails where none works. */
  sandbox?: ProcessSandbox;
}

/** View of a program in the sandbox: no network, and no files but programs of the system and these folders. */
export interface ProcessSandbox {
  /** Folders that it sees and can change, absolute; private files in them are hidden. */
  readonly folders: readonly string[];
}

/** End of a process. */
export interface ProcessEnd {
  /** Exit code; null when a signal ended it. */
  readonly code: number | null;
  readonly signal: string | null;
}

/** Process that runs next to the host, in a separate process group. */
export interface RunningProcess {
  readonly pid: number;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Resolves when the process has ended and its output was closed. Never rejects. */
  readonly ended: Promise<ProcessEnd>;
  /**
   * Ends the process and everything in its group: closes its input, then sends SIGTERM, then SIGKILL.
   * @param graceMs - time in milliseconds before each of the two signals; default 1000
   */
  stop(graceMs?: number): Promise<ProcessEnd>;
}
