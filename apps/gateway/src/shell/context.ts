import type { Terminal } from "./terminal.js";

/** The terminal and the environment that every command receives. */
export interface CommandContext {
  readonly terminal: Terminal;
  /** Environment variables of the process. */
  readonly environment: NodeJS.ProcessEnv;
}
