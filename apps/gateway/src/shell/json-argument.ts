import { text as readAll } from "node:stream/consumers";
import { errorMessage } from "@openclaw/foundation";
import { Json5SyntaxError, parseJson5 } from "@openclaw/foundation/json-document";
import { UsageError } from "./usage-error.js";

/**
 * Reads a JSON object from an argument.
 * @param argument - JSON text, or `-` for standard input; empty text is an empty object
 * @param name - name of the argument, for messages
 * @throws UsageError when it is not a JSON object, or has a number that would be rounded
 */
export async function readJsonObject(argument: string, name: string): Promise<object> {
  const text = argument === "-" ? await readAll(process.stdin) : argument;
  let value: unknown;
  try {
    value = JSON.parse(text.trim() === "" ? "{}" : text);
  } catch (error) {
    throw new UsageError(`${name}: not JSON (${errorMessage(error)})`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new UsageError(`${name}: must be a JSON object, not ${text}`);
  }
  refuseRounded(text, name);
  return value;
}

/** `JSON.parse` makes another ID of one beyond 2^53. */
function refuseRounded(text: string, name: string): void {
  if (!/\d{16}|\de/i.test(text)) return;
  try {
    parseJson5(text);
  } catch (error) {
    if (Json5SyntaxError.isInstance(error)) throw new UsageError(`${name}: ${error.message}`);
    throw error;
  }
}
