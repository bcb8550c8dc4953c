/** Options of a pattern. */
export interface PatternOptions {
  /** True takes upper and lower case as the same. */
  readonly ignoreCase?: boolean;
}

/** Compiled regular expression that runs in linear time, whatever the expression is. */
export interface LinearPattern {
  /** Expression as written. */
  readonly source: string;
  /** @param text - text of any length */
  test(text: string): boolean;
  /**
   * Returns the ranges of all matches, as offsets of UTF-16 code units, in order and without overlap.
   * @param text - text of any length
   */
  ranges(text: string): Iterable<readonly [start: number, end: number]>;
  /**
   * Replaces all matches.
   * @param text - text of any length
   * @param replacement - as for `String.prototype.replace`: `$1`, `$<name>`, `$&`, and `$$` for a dollar sign
   * @returns the same string when nothing matches
   */
  replace(text: string, replacement: string): string;
}

/** Regular expressions of operators, users and files, which a plugin must not run with `RegExp`. */
export interface RuntimePatterns {
  /**
   * Compiles a regular expression.
   * @param source - RE2 syntax of at most 1 KiB: as JavaScript's, without back-references and look-around
   * @param options - case of letters
   * @throws an error with code `PATTERN_INVALID`, whose `position` is the offset of the mistake, where it is known
   */
  compile(source: string, options?: PatternOptions): LinearPattern;
}
