import type { LiteralCommand, LiteralProgram } from "../literal/literal-command.js";

/** Command in which everything that a shell would expand is replaced (APPR-620). */
export interface ExpandedCommand {
  readonly command: LiteralCommand;
  /** Programs whose result was computed instead of running them; they must be allowed, too. */
  readonly computed: readonly ComputedProgram[];
}

/** Program whose output or exit code became part of an expanded command. */
export interface ComputedProgram {
  readonly program: LiteralProgram;
  /** Absolute path of the folder in which it would run. */
  readonly folder: string;
}

/** Entry of a folder. */
export interface ExpansionEntry {
  readonly name: string;
  readonly kind: "file" | "folder" | "link" | "other";
}

/** Facts about a file that conditions of `find` compare. */
export interface FileFacts {
  readonly size: number;
  readonly modifiedMs: number;
}

/** Files that an expansion may look at; each answer is undefined for anything outside the workspace. */
export interface ExpansionFiles {
  /** Returns the entries of a folder in the order of their names. */
  list(folder: string): Promise<readonly ExpansionEntry[] | undefined>;
  /** Returns the kind of a file, with links followed. */
  kind(path: string): Promise<"file" | "folder" | "other" | "none" | undefined>;
  /** Returns size in bytes and time of change in milliseconds of a file, without following a link. */
  facts(path: string): Promise<FileFacts | undefined>;
  /** Returns the text of a small file. */
  text(path: string): Promise<string | undefined>;
  /** Returns the files that git tracks below a folder, relative to it, in the order of the index. */
  tracked?(folder: string): Promise<readonly string[] | undefined>;
}

/** Place and variables of a command that is expanded. */
export interface ExpansionScene {
  /** Real path of the folder in which the command starts. */
  readonly folder: string;
  /** Variables of the command's environment. */
  readonly environment: Readonly<Record<string, string>>;
  /** Returns whether a variable that is not in `environment` may be set all the same. */
  isUncertain(name: string): boolean;
  readonly files: ExpansionFiles;
}

/** Ends an expansion: part of the command is known only to a shell. */
export class NotExpandable extends Error {}

/** Counts the work of one expansion, so that no command keeps the host busy. */
export class ExpansionBudget {
  #left = 20_000;

  /** @throws NotExpandable when the work is used up */
  take(count = 1): void {
    this.#left -= count;
    if (this.#left < 0) throw new NotExpandable("too much work");
  }
}
