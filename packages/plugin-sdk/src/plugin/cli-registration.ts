import type { Logger } from "../logger.js";

/** A command of the command line that is being described; has the shape of commander's `Command`. */
export interface CliCommand {
  command(nameAndArguments: string): CliCommand;
  description(text: string): CliCommand;
  argument(name: string, description?: string, defaultValue?: unknown): CliCommand;
  option(flags: string, description?: string, defaultValue?: string | boolean): CliCommand;
  requiredOption(flags: string, description?: string, defaultValue?: string): CliCommand;
  alias(name: string): CliCommand;
  action(run: (...argumentsAndOptions: never[]) => void | Promise<void>): CliCommand;
}

/** What a plugin adds its commands with. */
export interface CliContext {
  /** The command line's root command. */
  readonly program: CliCommand;
  /** The host's configuration, frozen, secrets redacted. */
  readonly config: Readonly<Record<string, unknown>>;
  readonly logger: Logger;
  readonly workspaceDir?: string;
}

/** Adds commands; called only when one of them is invoked (PLUG-035). */
export type CliRegistrar = (context: CliContext) => void | Promise<void>;

/** What is known of a plugin's commands without asking for them. */
export interface CliRegistrationOptions {
  /** Names of the commands it adds at the top. */
  commands?: readonly string[];
}
