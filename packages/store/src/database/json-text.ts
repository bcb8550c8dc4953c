import { errorMessage } from "@openclaw/foundation";

/** Returns the JSON text of a value from a plugin, or the error that prevents it. */
export function jsonText(value: unknown): string | Error {
  try {
    return JSON.stringify(value) ?? new Error(`${typeof value} has no JSON form`);
  } catch (error) {
    return new Error(errorMessage(error));
  }
}
