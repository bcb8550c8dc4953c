/**
 * A shell command as the host's grammar read it (D28). Whoever evaluates a command evaluates this tree,
 * so two evaluates never disagree about what would run.
 */
export interface ParsedCommand {
  /** The text that was parsed. */
  readonly source: string;
  /** False when the grammar could not read all of it; such a command always asks. */
  readonly complete: boolean;
  /** Every simple command that would run, in source order, wrappers already looked through. */
  readonly commands: readonly SimpleCommand[];
  /** Functions and aliases that it defines. */
  readonly definitions: readonly CommandDefinition[];
  /** What it uses beside simple commands, each once. */
  readonly features: readonly ShellFeature[];
  /**
   * The command as a list of programs with literal words, which the host can run without a shell; absent
   * where a shell would have to expand or interpret anything in it (APPR-038).
   */
  readonly literal?: LiteralCommand;
}

/** Pipelines of programs with literal words, run one after the other. */
export interface LiteralCommand {
  readonly pipelines: readonly LiteralPipeline[];
}

/** Programs that are connected by pipes. */
export interface LiteralPipeline {
  /** How it follows the pipeline before it; `;` for the first one. */
  readonly after: ";" | "&&" | "||";
  readonly programs: readonly LiteralProgram[];
}

/** A program with its words, as it is started. */
export interface LiteralProgram {
  /** As written, or absolute once a policy has resolved it. */
  readonly program: string;
  readonly arguments: readonly string[];
  /** In the order in which they are applied. */
  readonly redirections: readonly LiteralRedirection[];
  /** Files that its words name; each is looked up again directly before the program starts. */
  readonly files?: readonly LiteralFile[];
  /** The repository of a program that is git; without it git finds one itself. */
  readonly repository?: LiteralRepository;
}

/** A file that a word of a program names, as it was when the command was authorized. */
export interface LiteralFile {
  /** As written. */
  readonly path: string;
  /** Real paths that it may have; with any other the program does not start. */
  readonly realPaths: readonly string[];
}

/**
 * The repository that git works with. Git gets the settings given here instead of those in the repository,
 * so that a change between the authorization and the start has no effect.
 */
export interface LiteralRepository {
  /** Real path of the repository's folder, for example `.git`. */
  readonly folder: string;
  /** Real path of the folder that it shares with other working trees; `folder` where there is none. */
  readonly sharedFolder: string;
  /** Real path of the working tree. */
  readonly workTree: string;
  /** The settings, in the format of git's configuration file. */
  readonly settings: string;
  /** Patterns of the user's ignored files, in the format of `.gitignore`. */
  readonly ignored: string;
}

/** A redirection to another descriptor (`>&`) or to a file. */
export interface LiteralRedirection {
  readonly descriptor: 0 | 1 | 2;
  readonly operator: "<" | ">" | ">>" | ">&";
  /** Path of the file; for `>&` the number of the descriptor. */
  readonly target: string;
}

/**
 * What a shell command uses beside simple commands that can run code, or set variables, without a command
 * that says so: arithmetic, `[[ … ]]`, what an expansion does to a parameter, `<(…)` and `>(…)`.
 */
export type ShellFeature = "arithmetic" | "test" | "parameter-operation" | "process-substitution";

/** A function or alias that a shell command defines. */
export interface CommandDefinition {
  readonly kind: "function" | "alias";
  readonly name: string;
  /** Indexes into `commands` of those that run when it is called. */
  readonly commands: readonly number[];
}

/** A program that runs another one, as it was written. */
export interface WrapperCommand {
  /** Its word with the folder, if one was given, for example `/usr/bin/env`. */
  readonly program: string;
  /**
   * The words up to the command it runs, or all its words where the command is code in one of them;
   * undefined where a word is computed at run time.
   */
  readonly arguments: readonly (string | undefined)[];
}

/** One program invocation inside a shell command. */
export interface SimpleCommand {
  /** Program word after quoting is resolved; undefined when it is computed at run time. */
  readonly program: string | undefined;
  /** Words after the program; undefined where a word is computed at run time. */
  readonly arguments: readonly (string | undefined)[];
  /** Assignments in front of the program. */
  readonly assignments: readonly { readonly name: string; readonly value: string | undefined }[];
  /** Redirections, for example `{ operator: ">", target: "out.txt" }`. */
  readonly redirections: readonly {
    readonly operator: string;
    readonly target: string | undefined;
  }[];
  /** Wrapper programs that stand around it, outermost first, for example `["sudo", "env"]`. */
  readonly wrappers: readonly string[];
  /** The same wrappers as they were written: with their folder, and the words up to the command. */
  readonly wrapperCommands: readonly WrapperCommand[];
  /** Where it stands: `top`, or inside a pipe, subshell, substitution, function or loop. */
  readonly position:
    | "top"
    | "pipe"
    | "subshell"
    | "substitution"
    | "function"
    | "loop"
    | "condition";
  /** Whether it runs in the background. */
  readonly background: boolean;
  /** Indexes into `commands` of those whose output it reads. */
  readonly input: readonly number[];
  /** Indexes into `commands` of those inside substitutions in its words. */
  readonly substitutions: readonly number[];
  /** Offsets into `source`, in UTF-16 code units. */
  readonly range: readonly [start: number, end: number];
}
