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
}

/** A file that a word of a program names, as it was when the command was authorized. */
export interface LiteralFile {
  /** As written. */
  readonly path: string;
  /** Real paths that it may have; with any other the program does not start. */
  readonly realPaths: readonly string[];
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
