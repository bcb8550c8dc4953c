/** Pipelines of programs with literal words that run one after the other (APPR-038). */
export interface LiteralCommand {
  readonly pipelines: readonly LiteralPipeline[];
}

/** Programs that are connected by pipes. */
export interface LiteralPipeline {
  /** Operator before it; `;` for the first one. */
  readonly after: ";" | "&&" | "||";
  readonly programs: readonly LiteralProgram[];
  /** Number of the slot that keeps its output, after what the slot contains already. */
  readonly keepsOutput?: number;
  /** Number of the slot that its first program reads as its input. */
  readonly readsKept?: number;
}

/** Program with its words, as it is started. */
export interface LiteralProgram {
  readonly program: string;
  readonly arguments: readonly string[];
  /** Redirections in the order in which they are applied. */
  readonly redirections: readonly LiteralRedirection[];
  /** Files that its words name; each is resolved again directly before the program starts. */
  readonly files?: readonly LiteralFile[];
  /** Repository of a program that is git; when absent, git searches for one. */
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

/** File that a word of a program names, as it was when the command was authorized. */
export interface LiteralFile {
  /** Path as written. */
  readonly path: string;
  /** Real paths that it may have; with any other the program does not start. */
  readonly realPaths: readonly string[];
}

/**
 * Repository that git works with. Git receives these settings instead of those in the repository,
 * so that a change between the authorization and the start has no effect.
 */
export interface LiteralRepository {
  /** Real path of the repository's folder, for example `.git`. */
  readonly folder: string;
  /**
   * Real path of the folder that it shares with other working trees; equal to `folder` without
   * others.
   */
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
  /** Path of the file; for `>&` the number of the descriptor, for `<<` the text. */
  readonly target: string;
}

/** File that redirections may name without approval. */
const NOWHERE = "/dev/null";

/**
 * Returns the files that a literal command redirects to or from, except `/dev/null`.
 * @param command - value of `ParsedCommand.literal`
 */
export function redirectedFiles({ pipelines }: LiteralCommand): readonly string[] {
  return pipelines
    .flatMap(({ programs }) => programs.flatMap(({ redirections }) => redirections))
    .filter(({ operator, target }) => operator !== ">&" && operator !== "<<" && target !== NOWHERE)
    .map(({ target }) => target);
}
