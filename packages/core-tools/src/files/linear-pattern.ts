import { LinearPattern, LinearPatternError } from "@openclaw/safety";
import { ToolRefusalError } from "../errors.js";

const MAX_PATTERN_LENGTH = 1024;

/** Function that returns true if a text matches a pattern. */
export type PatternTest = (text: string) => boolean;

/**
 * Compiles a regular expression of a model, whose run time grows only with the text.
 * @param pattern - RE2 syntax: as JavaScript's, without back-references and look-around
 * @param options - `ignoreCase` takes upper and lower case as the same
 * @returns the test
 * @throws ToolRefusalError when the pattern is invalid or longer than 1024 characters
 */
export function linearPattern(
  pattern: string,
  { ignoreCase = false }: { ignoreCase?: boolean } = {},
): PatternTest {
  if (pattern.length > MAX_PATTERN_LENGTH) {
    throw new ToolRefusalError(
      "too-large",
      `The pattern has ${pattern.length} characters; the maximum is ${MAX_PATTERN_LENGTH}. Give a shorter one.`,
    );
  }
  try {
    const compiled = new LinearPattern(pattern, { ignoreCase });
    return (text) => compiled.test(text);
  } catch (error) {
    if (!LinearPatternError.isInstance(error)) throw error;
    throw new ToolRefusalError(
      "invalid-value",
      `The pattern "${pattern}" cannot be used: ${error.problem}. Write it in RE2 syntax, without back-references and look-around.`,
      { cause: error },
    );
  }
}
