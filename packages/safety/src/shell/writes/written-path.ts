/** Path that a program may write, as its words name it. */
export interface WrittenPath {
  /** Path or pattern as written; undefined when the files are known only at run time. */
  readonly path: string | undefined;
  /**
   * Paths or patterns of files and folders that the program copies, moves or links: where `path` is a folder, it writes
   * their names in it. Undefined for a word that is known only at run time.
   */
  readonly sources?: readonly (string | undefined)[];
  /** True when `path` is a folder, even if it does not exist yet. */
  readonly isFolder?: true;
  /** Pattern of names: the program removes the entries at any depth of the folder `path` whose name matches it. */
  readonly below?: string;
  /** True for a word of a program that is not known to write: it counts only if it names a followed file. */
  readonly isGuess?: true;
}

/** Files that are known only at run time. */
export const UNKNOWN_FILES: WrittenPath = { path: undefined };

/**
 * Returns the written paths of words that each name one file.
 * @param words - paths or patterns; undefined for one that is computed at run time
 */
export function files(words: readonly (string | undefined)[]): readonly WrittenPath[] {
  return words.map((path) => ({ path }));
}
