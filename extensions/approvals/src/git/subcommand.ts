import type { ProgramTable } from "../reading/program-table.js";

/** Subcommand of git that only reads, with the exact words that it may have. */
export interface GitSubcommand {
  /** Options; operands are described by the other fields. */
  readonly table: ProgramTable;
  /** Options that the host appends to the given ones; the last one counts. */
  readonly forced?: readonly string[];
  /** Maximum number of operands that are revisions. */
  readonly revisions: number;
  /**
   * True when revisions must be commits, because any other object, such as a private file, would be
   * shown.
   */
  readonly onlyCommits?: boolean;
  /** Options with which it shows content, so that they must be named commits. */
  readonly contentWith?: readonly string[];
  /** True when revisions may also be files and folders of a commit, such as `HEAD:src/a.ts`. */
  readonly objects?: boolean;
  /** Role of further operands as paths: patterns of git, one file, or not allowed. */
  readonly paths: "none" | "patterns" | "file";
  /**
   * Patterns that exclude private files are added: always, or when one of these options is given.
   */
  readonly leavesOut?: "always" | readonly string[];
  /** Options of which one must be given unless a revision is. */
  readonly needs?: readonly string[];
  /** Format of operands with a special form, joined by spaces. */
  readonly words?: RegExp;
  /** Options of which one must be given if such operands are. */
  readonly wordsNeed?: readonly string[];
}
