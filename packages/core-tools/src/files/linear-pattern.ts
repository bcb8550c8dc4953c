import { errorMessage } from "@openclaw/foundation";
import type { RE2JS } from "re2js";
import { ToolRefusalError } from "../errors.js";

const MAX_PATTERN_LENGTH = 1024;
const META = /[\\^$.|?*+()[\]{}]/;

/** Function that returns true if a text matches a pattern. */
export type PatternTest = (text: string) => boolean;

/**
 * Compiles a regular expression whose run time grows only with the text, whatever the expression is.
 * @param pattern - RE2 syntax: as JavaScript's, without back-references and look-around
 * @param options - `ignoreCase` takes upper and lower case as the same
 * @returns the test
 * @throws ToolRefusalError when the pattern is invalid or longer than 1024 characters
 */
export async function linearPattern(
  pattern: string,
  { ignoreCase = false }: { ignoreCase?: boolean } = {},
): Promise<PatternTest> {
  if (pattern.length > MAX_PATTERN_LENGTH) {
    throw new ToolRefusalError(
      "too-large",
      `The pattern has ${pattern.length} characters; the maximum is ${MAX_PATTERN_LENGTH}. Give a shorter one.`,
    );
  }
  // Plain text needs no engine, and most searches are for plain text.
  if (!META.test(pattern) && !ignoreCase) return (text) => text.includes(pattern);
  const compiled = await compile(pattern, ignoreCase);
  return (text) => compiled.matcher(text).find();
}

async function compile(pattern: string, ignoreCase: boolean): Promise<RE2JS> {
  const { RE2JS } = await import("re2js");
  try {
    const flags = ignoreCase ? RE2JS.CASE_INSENSITIVE : 0;
    return RE2JS.compile(RE2JS.translateRegExp(pattern), flags);
  } catch (error) {
    throw new ToolRefusalError(
      "invalid-value",
      `The pattern "${pattern}" cannot be used: ${errorMessage(error)}. Write it in RE2 syntax, without back-references and look-around.`,
      { cause: error },
    );
  }
}
