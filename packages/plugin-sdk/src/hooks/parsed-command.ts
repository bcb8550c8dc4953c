/**
 * Shell command as parsed by the host (D28). All policies evaluate this tree, so that they agree about what would run.
 */
export interface ParsedCommand {
  /** The parsed text. */
  readonly source: string;
  /** False when the parser could not read the whole text; such a command always needs approval. */
  readonly complete: boolean;
  /** All simple commands that would run, in source order, with wrappers removed. */
  readonly commands: readonly SimpleCommand[];
  /** Functions and aliases that the command defines. */
  readonly definitions: readonly CommandDefinition[];
  /** Shell features used in addition to simple commands, without duplicates. */
  readonly features: readonly ShellFeature[];
  /**
   * The command as a list of programs with literal words, which the host can run without a shell; absent when a
   * shell would have to expand or interpret any part of it (APPR-038).
   */
  readonly literal?: LiteralCommand;
  /**
   * The command as the host can run it without a shell after it replaced patterns, variables, loops and substitutions by
   * the words that they mean in the workspace now; absent when any part of it is known only at run time (APPR-620).
   */
  readonly expanded?: ExpandedCommand;
}

/** Command in which the host replaced everything that a shell would expand. */
export interface ExpandedCommand {
  readonly command: LiteralCommand;
  /** Programs whose result the host computed for it instead of running them; a policy must cover them, too. */
  readonly computed: readonly ComputedProgram[];
}

/** Program whose output or exit code became part of an expanded command. */
export interface ComputedProgram {
  readonly program: LiteralProgram;
  /** Absolute path of the folder in which it would run. */
  readonly folder: string;
}

/** Pipelines of programs with literal words, run in sequence. */
export interface LiteralCommand {
  readonly pipelines: readonly LiteralPipeline[];
}

/** Programs connected by pipes. */
export interface LiteralPipeline {
  /** Operator between the previous pipeline and this one; `;` for the first pipeline. */
  readonly after: ";" | "&&" | "||";
  readonly programs: readonly LiteralProgram[];
  /** Number of the slot that keeps its output, after what the slot contains already. */
  readonly keepsOutput?: number;
  /** Number of the slot that its first program reads as its input. */
  readonly readsKept?: number;
}

/** Program to start, with its words. */
export interface LiteralProgram {
  /** Program as written, or its absolute path once a policy has resolved it. */
  readonly program: string;
  readonly arguments: readonly string[];
  /** Redirections in the order in which they apply. */
  readonly redirections: readonly LiteralRedirection[];
  /** Files named in the words; each is resolved again directly before the program starts. */
  readonly files?: readonly LiteralFile[];
  /** Repository for git; when absent, git finds the repository itself. */
  readonly repository?: LiteralRepository;
  /** Variables that only this program gets. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Words that contain kept output of other programs; `arguments` shows where. */
  readonly late?: readonly LateWord[];
}

/** Word that is complete only when other programs have run. */
export interface LateWord {
  /** Index in `arguments`. */
  readonly index: number;
  /**
   * Text, the exit code, and slots whose output is inserted without the line ends after it; or a file or names alone, for
   * which `arguments` contains a placeholder.
   */
  readonly parts: readonly (string | KeptOutput | KeptFile | ListedNames | LastExitCode)[];
}

/** Exit code of the pipeline that ran last, as part of a word. */
export interface LastExitCode {
  readonly isExitCode: true;
}

/** Kept output of other programs as part of a word. */
export interface KeptOutput {
  readonly slot: number;
  /** True when each white space in it becomes one space, as without quotes. */
  readonly isJoined?: true;
}

/** Kept output of other programs as a file, whose path is the word. */
export interface KeptFile {
  readonly slot: number;
  readonly isFile: true;
}

/**
 * Names of files that the programs before it in the pipeline print: any number of words. Only names in the workspace that are
 * neither private nor options are accepted when the program starts.
 */
export interface ListedNames {
  /** Character after each name; any white space when absent. */
  readonly isNames: true;
  readonly separator?: "\0" | "\n";
  /** True when the program does not start without names. */
  readonly needsOne?: true;
}

/** File named in a word of a program, as resolved when the command was authorized. */
export interface LiteralFile {
  /** Path as written. */
  readonly path: string;
  /** Allowed real paths; the program does not start when the file has another one. */
  readonly realPaths: readonly string[];
}

/**
 * Repository for a git command. Git uses the settings given here instead of those in the repository, so that a change
 * between authorization and start has no effect.
 */
export interface LiteralRepository {
  /** Real path of the repository's folder, for example `.git`. */
  readonly folder: string;
  /** Real path of the folder shared with other working trees; equal to `folder` when there are none. */
  readonly sharedFolder: string;
  /** Real path of the working tree. */
  readonly workTree: string;
  /** Settings in the format of git's configuration file. */
  readonly settings: string;
  /** Patterns of the user's ignored files, in the format of `.gitignore`. */
  readonly ignored: string;
}

/** Redirection to another descriptor (`>&`) or to a file, or text as the input (`<<`). */
export interface LiteralRedirection {
  readonly descriptor: 0 | 1 | 2;
  readonly operator: "<" | ">" | ">>" | ">&" | "<<";
  /** Path of the file, number of the descriptor for `>&`, or the text for `<<`. */
  readonly target: string;
}

/**
 * Shell feature that can run code or set variables without a visible command: arithmetic, `[[ … ]]`, an operation in a
 * parameter expansion, `<(…)` and `>(…)`.
 */
export type ShellFeature = "arithmetic" | "test" | "parameter-operation" | "process-substitution";

/** Function or alias that a shell command defines. */
export interface CommandDefinition {
  readonly kind: "function" | "alias";
  readonly name: string;
  /** Indexes into `commands` of the commands that run when it is called. */
  readonly commands: readonly number[];
}

/** Program that runs another program, as written. */
export interface WrapperCommand {
  /** Program word, with its folder if given, for example `/usr/bin/env`. */
  readonly program: string;
  /**
   * Words up to the command that it runs, or all words when the command is code inside one of them; undefined for a
   * word that is computed at run time.
   */
  readonly arguments: readonly (string | undefined)[];
}

/** Path that a program may write, as its words name it. */
export interface WrittenPath {
  /** Path or pattern as written; undefined when the files are known only at run time. */
  readonly path: string | undefined;
  /** Paths or patterns that the program copies, moves or links: where `path` is a folder, it writes their names in it. */
  readonly sources?: readonly (string | undefined)[];
  /** True when `path` is a folder, even if it does not exist yet. */
  readonly isFolder?: true;
  /** Pattern of names: the program removes the entries at any depth of the folder `path` whose name matches it. */
  readonly below?: string;
  /** True for a word of a program that is not known to write. */
  readonly isGuess?: true;
}

/** Invocation of one program inside a shell command. */
export interface SimpleCommand {
  /** Program word without quoting; undefined when it is computed at run time. */
  readonly program: string | undefined;
  /** Words after the program; undefined for a word that is computed at run time. */
  readonly arguments: readonly (string | undefined)[];
  /** Assignments before the program word. */
  readonly assignments: readonly { readonly name: string; readonly value: string | undefined }[];
  /** Redirections, for example `{ operator: ">", target: "out.txt" }`. */
  readonly redirections: readonly {
    readonly operator: string;
    readonly target: string | undefined;
  }[];
  /** Names of the wrapper programs, outermost first, for example `["sudo", "env"]`. */
  readonly wrappers: readonly string[];
  /** The same wrappers as written: with their folder and the words up to the command. */
  readonly wrapperCommands: readonly WrapperCommand[];
  /** Paths that it may write, as its words name them; redirections are not among them. */
  readonly writes: readonly WrittenPath[];
  /** Position: `top`, or inside a pipe, subshell, substitution, function or loop. */
  readonly position:
    | "top"
    | "pipe"
    | "subshell"
    | "substitution"
    | "function"
    | "loop"
    | "condition";
  /** True when the command runs in the background. */
  readonly background: boolean;
  /** Indexes into `commands` of the commands whose output it reads. */
  readonly input: readonly number[];
  /** Indexes into `commands` of the commands inside substitutions in its words. */
  readonly substitutions: readonly number[];
  /** Offsets into `source`, in UTF-16 code units. */
  readonly range: readonly [start: number, end: number];
}
