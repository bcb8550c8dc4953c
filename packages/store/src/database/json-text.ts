import { errorMessage } from "@openclaw/foundation";

/**
 * The JSON text of a value that a plugin gave, or why there is none.
 * @param value - anything
 */
export function jsonText(value: unknown): string | Error {
  try {
    return JSON.stringify(value) ?? new Error(`${typeof value} has no JSON form`);
  } catch (error) {
    return new Error(errorMessage(error));
  }
}
