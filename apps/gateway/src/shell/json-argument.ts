import { text as readAll } from "node:stream/consumers";
import { errorMessage, parseExactJson } from "@openclaw/foundation";
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
    value = parseExactJson(text.trim() === "" ? "{}" : text);
  } catch (error) {
    throw new UsageError(`${name}: not usable as JSON (${errorMessage(error)})`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new UsageError(`${name}: must be a JSON object, not ${text}`);
  }
  return value;
}
