import type { Logger } from "../logger.js";

/** Command of the command line, structurally compatible with `Command` of commander. */
export interface CliCommand {
  command(nameAndArguments: string): CliCommand;
  description(text: string): CliCommand;
  argument(name: string, description?: string, defaultValue?: unknown): CliCommand;
  option(flags: string, description?: string, defaultValue?: string | boolean): CliCommand;
  requiredOption(flags: string, description?: string, defaultValue?: string): CliCommand;
  alias(name: string): CliCommand;
  action(run: (...argumentsAndOptions: never[]) => void | Promise<void>): CliCommand;
}

/** Context for registering commands of the command line. */
export interface CliContext {
  /** Root command. */
  readonly program: CliCommand;
  /** Configuration of the host, frozen, secrets redacted. */
  readonly config: Readonly<Record<string, unknown>>;
  readonly logger: Logger;
  readonly workspaceDir?: string;
  /**
   * Calls a method of the running gateway, or of a host that is started only for this call, as the operator (SDK-061).
   * Absent on a command line without a gateway.
   * @param method - name of the method, for example `tools.invoke`
   * @param params - its parameters
   * @throws an error with the code that the method reports
   */
  callGateway?(method: string, params: Readonly<Record<string, unknown>>): Promise<unknown>;
  /**
   * Sets the exit code of the command, which is 0 when nothing is thrown.
   * @param code - 1 for a failure that the command has printed, 3 for a negative answer
   */
  setExitCode?(code: 0 | 1 | 3): void;
  /**
   * Listens on the loopback interface for the browser that returns from a login. Absent where there is no command line of a
   * person.
   * @param pass - receives the query of each callback
   */
  listenForLogin?(pass: (query: string) => Promise<LoginCallbackAnswer>): Promise<LoginCallbacks>;
}

/** Answer to the browser of a person who logged in at another service. */
export interface LoginCallbackAnswer {
  readonly status: number;
  /** Plain text for the person. */
  readonly text: string;
}

/** Listener on this machine, to which a browser returns from a login. */
export interface LoginCallbacks extends AsyncDisposable {
  /** URL to which the browser returns, `http://127.0.0.1:PORT/oauth/callback`. */
  readonly redirectUri: string;
}

/**
 * Adds commands to the command line; called only when one of them is invoked (PLUG-035). No service of the plugin runs
 * then; `api.store` can be used, also while a gateway uses it.
 */
export type CliRegistrar = (context: CliContext) => void | Promise<void>;

/** A top-level command of a plugin. */
export interface CliDescriptor {
  readonly name: string;
  readonly description?: string;
  readonly hasSubcommands?: boolean;
}

/** Description of a plugin's commands, available without running its registrar. */
export interface CliRegistrationOptions {
  /** Names of its top-level commands. */
  commands?: readonly string[];
  /** Top-level commands with a line for the help. */
  descriptors?: readonly CliDescriptor[];
}
