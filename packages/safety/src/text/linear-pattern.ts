import { errorMessage } from "@openclaw/foundation";
import { RE2JS, RE2JSSyntaxException } from "re2js";
import { LinearPatternError } from "../errors.js";
import type { Range } from "./range.js";

/** Maximum length of a pattern, in UTF-8 bytes (SAFE-023). */
export const LONGEST_PATTERN = 1024;

const META = /[\\^$.|?*+()[\]{}]/;

/** Options of {@link LinearPattern}. */
export interface LinearPatternOptions {
  /** True takes upper and lower case as the same. */
  readonly ignoreCase?: boolean | undefined;
}

/**
 * Regular expression of someone else, for example of an operator, a model or a plugin: its run time grows only with the
 * text, whatever the expression is.
 */
export class LinearPattern {
  readonly source: string;
  /** Absent for plain text, which most patterns are and which needs no engine. */
  readonly #compiled: RE2JS | undefined;

  /**
   * @param source - RE2 syntax of at most 1 KiB: as JavaScript's, without back-references and look-around
   * @param options - case of letters
   * @throws LinearPatternError when the pattern is not valid or too long
   */
  constructor(source: string, { ignoreCase = false }: LinearPatternOptions = {}) {
    const bytes = Buffer.byteLength(source);
    if (bytes > LONGEST_PATTERN) {
      const problem = `it has ${bytes} bytes; at most ${LONGEST_PATTERN} are allowed`;
      throw new LinearPatternError(source, problem);
    }
    this.source = source;
    this.#compiled =
      source !== "" && !META.test(source) && !ignoreCase ? undefined : compile(source, ignoreCase);
  }

  /**
   * Returns true when the pattern matches a part of a text.
   * @param text - text of any length
   */
  test(text: string): boolean {
    return this.#compiled === undefined ? text.includes(this.source) : this.#compiled.test(text);
  }

  /**
   * Returns the ranges of all matches, in order and without overlap.
   * @param text - text of any length
   */
  *ranges(text: string): Iterable<Range> {
    if (this.#compiled === undefined) {
      const { length } = this.source;
      for (
        let at = text.indexOf(this.source);
        at !== -1;
        at = text.indexOf(this.source, at + length)
      ) {
        yield [at, at + length];
      }
      return;
    }
    const matcher = this.#compiled.matcher(text);
    while (matcher.find()) yield [matcher.start(), matcher.end()];
  }

  /**
   * Replaces all matches.
   * @param text - text of any length
   * @param replacement - as for `String.prototype.replace`: `$1`, `$<name>`, `$&`, and `$$` for a dollar sign
   * @returns the same string when nothing matches
   */
  replace(text: string, replacement: string): string {
    if (this.#compiled === undefined) return text.replaceAll(this.source, replacement);
    return this.test(text) ? this.#compiled.matcher(text).replaceAll(replacement) : text;
  }
}

function compile(source: string, ignoreCase: boolean): RE2JS {
  try {
    const flags = ignoreCase ? RE2JS.CASE_INSENSITIVE : 0;
    return RE2JS.compile(RE2JS.translateRegExp(source), flags);
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) {
      throw new LinearPatternError(source, errorMessage(error), { cause: error });
    }
    const part = error.getPattern() ?? "";
    const at = part === "" ? -1 : source.indexOf(part);
    const problem = part === "" ? error.getDescription() : `${error.getDescription()}: ${part}`;
    throw new LinearPatternError(source, problem, {
      cause: error,
      position: at === -1 ? undefined : at,
    });
  }
}
