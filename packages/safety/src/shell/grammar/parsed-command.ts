import type { Range } from "../../text/range.js";
import type { LiteralCommand } from "../literal/literal-command.js";

/** Where a simple command stands: the innermost construct around it. */
export type CommandPosition =
  | "top"
  | "pipe"
  | "subshell"
  | "substitution"
  | "function"
  | "loop"
  | "condition";

/** An assignment in front of a program. */
export interface CommandAssignment {
  readonly name: string;
  /** Undefined when it is computed at run time. */
  readonly value: string | undefined;
}

/** A redirection of a command or of the construct around it. */
export interface CommandRedirection {
  /** As written without the descriptor, for example `>`, `&>>`, `<<` or `<<<`. */
  readonly operator: string;
  /** File, descriptor, or the text of a here-document; undefined when computed at run time. */
  readonly target: string | undefined;
}

/**
 * What a command uses beside simple commands that can run code, or set variables, without a command that
 * says so: arithmetic, `[[ … ]]`, what an expansion does to a parameter, `<(…)` and `>(…)`.
 */
export type ShellFeature = "arithmetic" | "test" | "parameter-operation" | "process-substitution";

/** A program that runs another one, as it was written. */
export interface WrapperCommand {
  /** Its word with the folder, if one was given, for example `/usr/bin/env`. */
  readonly program: string;
  /**
   * The words up to the command it runs, or all its words where the command is code in one of them.
   * Undefined where a word is computed at run time.
   */
  readonly arguments: readonly (string | undefined)[];
}

/** One program invocation inside a shell command. */
export interface SimpleCommand {
  /**
   * Program word after quoting is resolved; undefined when it is computed at run time, empty when
   * only assignments or redirections stand there.
   */
  readonly program: string | undefined;
  /** Words after the program; undefined where a word is computed at run time. */
  readonly arguments: readonly (string | undefined)[];
  /** Assignments in front of the program, also those made by `env`. */
  readonly assignments: readonly CommandAssignment[];
  readonly redirections: readonly CommandRedirection[];
  /** Wrapper programs that stand around it, outermost first, for example `["sudo", "env"]`. */
  readonly wrappers: readonly string[];
  /** The same wrappers as they were written. */
  readonly wrapperCommands: readonly WrapperCommand[];
  readonly position: CommandPosition;
  /** Whether it runs in the background. */
  readonly background: boolean;
  /** Indexes into `commands` of those whose output it reads through a pipe or `< <(…)`. */
  readonly input: readonly number[];
  /** Indexes into `commands` of those inside substitutions in its words. */
  readonly substitutions: readonly number[];
  /** Offsets into `source`, in UTF-16 code units. */
  readonly range: Range;
}

/** A function or alias that a command defines. */
export interface CommandDefinition {
  readonly kind: "function" | "alias";
  readonly name: string;
  /** Indexes into `commands` of those that run when it is called. */
  readonly commands: readonly number[];
}

/**
 * A shell command as the grammar read it (D28). Nothing in it was run. Whoever evaluates a command evaluates
 * this tree, so two evaluates never disagree about what would run.
 */
export interface ParsedCommand {
  /** The text that was parsed. */
  readonly source: string;
  /** False when not all of it could be read; such a command always asks. */
  readonly complete: boolean;
  /** Every simple command that would run, in source order, wrappers already looked through. */
  readonly commands: readonly SimpleCommand[];
  readonly definitions: readonly CommandDefinition[];
  /** Each once, in the order of their first use. */
  readonly features: readonly ShellFeature[];
  /** The command as programs with literal words; absent where a shell is needed to run it (APPR-038). */
  readonly literal?: LiteralCommand;
}
