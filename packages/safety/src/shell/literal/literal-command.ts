/** Pipelines of programs with literal words, run one after the other (APPR-038). */
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

/** The file that redirections may name without approval. */
const NOWHERE = "/dev/null";

/**
 * Returns the files that a literal command redirects to or from, `/dev/null` excepted.
 * @param command - from `ParsedCommand.literal`
 */
export function redirectedFiles({ pipelines }: LiteralCommand): readonly string[] {
  return pipelines
    .flatMap(({ programs }) => programs.flatMap(({ redirections }) => redirections))
    .filter(({ operator, target }) => operator !== ">&" && target !== NOWHERE)
    .map(({ target }) => target);
}
