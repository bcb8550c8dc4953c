import { text as readAll } from "node:stream/consumers";
import { errorMessage } from "@openclaw/foundation";
import { UsageError } from "./usage-error.js";

/**
 * Reads a JSON object from an argument.
 * @param argument - JSON text, or `-` for standard input; empty text is an empty object
 * @param name - name of the argument, for messages
 * @throws UsageError when it is not a JSON object
 */
export async function readJsonObject(argument: string, name: string): Promise<object> {
  const text = argument === "-" ? await readAll(process.stdin) : argument;
  let value: unknown;
  try {
    value = JSON.parse(text.trim() === "" ? "{}" : text);
  } catch (error) {
    throw new UsageError(`${name}: not JSON (${errorMessage(error)})`);
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  throw new UsageError(`${name}: must be a JSON object, not ${text}`);
}
