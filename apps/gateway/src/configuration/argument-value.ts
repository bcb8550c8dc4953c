import {
  inexactNumberProblem,
  Json5SyntaxError,
  parseJson5,
} from "@openclaw/foundation/json-document";
import { UsageError } from "../shell/usage-error.js";

/**
 * Returns the value of an argument of the command line: JSON5, or otherwise the text as it is.
 * @param text - argument
 * @throws UsageError for a number that would be rounded
 */
export function argumentValue(text: string): unknown {
  let document: ReturnType<typeof parseJson5>;
  try {
    document = parseJson5(text, { allowInexact: true });
  } catch (error) {
    if (Json5SyntaxError.isInstance(error)) return text;
    throw error;
  }
  const [rounded] = document.inexact;
  if (rounded === undefined) return document.value;
  const { message, suggestion } = inexactNumberProblem(rounded.written);
  throw new UsageError(`${message}; ${suggestion}, which the shell must not remove`);
}
