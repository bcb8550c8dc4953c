import type { Range } from "../../text/range.js";
import type { ExpandedCommand } from "../expansion/expanded-command.js";
import type { LiteralCommand } from "../literal/literal-command.js";
import type { WrittenPath } from "../writes/written-path.js";

/** Position of a simple command: the innermost construct around it. */
export type CommandPosition =
  | "top"
  | "pipe"
  | "subshell"
  | "substitution"
  | "function"
  | "loop"
  | "condition";

/** Assignment before a program. */
export interface CommandAssignment {
  readonly name: string;
  /** Undefined when it is computed at run time. */
  readonly value: string | undefined;
}

/** Redirection of a command or of the construct around it. */
export interface CommandRedirection {
  /** Operator as written without the descriptor, for example `>`, `&>>`, `<<` or `<<<`. */
  readonly operator: string;
  /** File, descriptor, or the text of a here-document; undefined when computed at run time. */
  readonly target: string | undefined;
}

/**
 * Construct other than a simple command that can run code or set variables: arithmetic, `[[ … ]]`,
 * an operation on a parameter in an expansion, `<(…)` and `>(…)`.
 */
export type ShellFeature = "arithmetic" | "test" | "parameter-operation" | "process-substitution";

/** Program that runs another one, as it was written. */
export interface WrapperCommand {
  /** Program word with the folder, if one was given, for example `/usr/bin/env`. */
  readonly program: string;
  /**
   * Words up to the inner command, or all words where the inner command is code in one of them.
   * Undefined where a word is computed at run time.
   */
  readonly arguments: readonly (string | undefined)[];
}

/** One invocation of a program in a shell command. */
export interface SimpleCommand {
  /**
   * Program word after quoting is resolved; undefined when it is computed at run time, empty when
   * the command consists of assignments or redirections only.
   */
  readonly program: string | undefined;
  /** Words after the program; undefined where a word is computed at run time. */
  readonly arguments: readonly (string | undefined)[];
  /** Assignments before the program, including those of `env`. */
  readonly assignments: readonly CommandAssignment[];
  readonly redirections: readonly CommandRedirection[];
  /** Wrapper programs around it, outermost first, for example `["sudo", "env"]`. */
  readonly wrappers: readonly string[];
  /** The same wrappers as they were written. */
  readonly wrapperCommands: readonly WrapperCommand[];
  /** Paths that it may write, as its words name them; redirections are not among them. */
  readonly writes: readonly WrittenPath[];
  readonly position: CommandPosition;
  /** True when it runs in the background. */
  readonly background: boolean;
  /** Indexes into `commands` of the commands whose output it reads through a pipe or `< <(…)`. */
  readonly input: readonly number[];
  /** Indexes into `commands` of the commands inside substitutions in its words. */
  readonly substitutions: readonly number[];
  /** Offsets into `source`, in UTF-16 code units. */
  readonly range: Range;
}

/** Function or alias that a command defines. */
export interface CommandDefinition {
  readonly kind: "function" | "alias";
  readonly name: string;
  /** Indexes into `commands` of the commands that run when it is called. */
  readonly commands: readonly number[];
}

/**
 * Shell command as parsed by the grammar (D28); parsing runs nothing. All evaluations use this
 * tree, so they agree about the commands that would run.
 */
export interface ParsedCommand {
  /** Text that was parsed. */
  readonly source: string;
  /** False when not all of it could be parsed; such a command always needs approval. */
  readonly complete: boolean;
  /**
   * Every simple command that would run, in source order, including the commands inside wrappers.
   */
  readonly commands: readonly SimpleCommand[];
  readonly definitions: readonly CommandDefinition[];
  /** Features in the order of their first use, each once. */
  readonly features: readonly ShellFeature[];
  /**
   * Command as programs with literal words; absent where a shell is needed to run it (APPR-038).
   */
  readonly literal?: LiteralCommand;
  /** Command after the expansion by the host (APPR-620). */
  readonly expanded?: ExpandedCommand;
}
